import { randomBytes } from 'node:crypto';
import { UniqueViolationError } from 'objection';
import { recordSignUp } from '#api/members/badges/sign-up.service.ts';
import { claimVotes, detachVotes } from '#api/voting/voting.service.ts';
import type { Login, PasswordChange, RegisteredUser, Registration, User, UserChange } from './accounts.contract.ts';
import { accountKey, nameFindings, normalizeName } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { dummyHash } from '#platform/password-hash.ts';
import type { SessionData } from '#platform/session.ts';
import type { Outbox } from '#api/mail/outbox.service.ts';
import type { Voter } from '#api/voting/voter.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import type { Finding } from '#texts/field-errors.ts';
import type { Passwords } from './passwords.service.ts';
import { cancelEmailChange, notifyByMail, requestConfirmation } from './email-changes.service.ts';
import { normalizeEmail } from './email-address.service.ts';
import { deviceDigest, isKnownDevice, rememberDevice } from './known-devices.service.ts';
import { deletePicture } from './pictures.service.ts';
import { storeNewCodes } from './recovery-codes.service.ts';
import { expireResetLinks } from './reset-links.service.ts';
import { takeSecondStep } from './second-step.service.ts';
import { passwordStamp, removeSessionsOf } from './session-store.service.ts';
import { isSuspended, UserModel } from './user.model.ts';

/** What the use cases of accounts need. */
export interface AccountsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly mail: Outbox;
}

interface RegistrationContext extends AccountsContext {
  readonly config: Pick<Config, 'earlyAdopterUntil' | 'siteName'>;
}

/** Where a sign-in comes from: the address that limits count, and the device or browser. */
export interface SignInOrigin {
  readonly address: string;
  readonly voter: Voter | null;
  /** The secret of the device’s cookie, which is new for a new device. */
  readonly device: string;
  /** Browser and system. */
  readonly deviceName: string | null;
}

/** A successful sign-in: the account, and the data of its new session. */
export interface SignIn<U = User> {
  readonly user: U;
  readonly session: SessionData;
}

/**
 * After so many accounts of one /24 or /48 on a day, a class and a half, the next ones don’t count as established, whatever
 * they do.
 */
export const registrationCrowd = 50;

/**
 * Creates an account with recovery codes and assigns it the earlier votes of this device or browser. Throws
 * VALIDATION_FAILED, USERNAME_TAKEN, RATE_LIMITED, OVERLOADED.
 */
export async function register(
  context: RegistrationContext,
  input: Registration,
  origin: SignInOrigin,
): Promise<SignIn<RegisteredUser>> {
  const { db, clock, passwords, attempts } = context;
  throwIfAny(nameFindings(input, context.config.siteName));
  const typed = normalizeName(input.email);
  const email = typed === null ? null : normalizeEmail(typed);
  const keys = { username_key: accountKey(input.username), email_key: email === null ? null : accountKey(email) };
  const today: Attempt = ['registerFromSubnetDaily', subnetOf(origin.address)];
  const counted: Attempt[] = [
    ['registerFromAddress', origin.address],
    ['registerFromSubnet', subnetOf(origin.address)],
    today,
  ];
  await attempts.refuse(counted);
  const password = await passwords.hash(input.password, {
    field: 'password',
    owner: input,
    async beforeHash() {
      // Attempts with a taken name count, too: they reveal who has an account.
      await attempts.count(counted);
      if (await isUsernameTaken(db, keys.username_key)) throw errors.usernameTaken();
    },
  });

  const now = clock.now();
  const isInCrowd = (await attempts.used(today)) > registrationCrowd;
  // Strangers’ addresses get no more than a few mails; the account is created all the same.
  const asksToConfirm =
    email !== null && context.mail.on && (await attempts.allow([['confirmationMailTo', accountKey(email)]]));
  try {
    const created = await db.transaction(async (trx) => {
      const user = await UserModel.query(trx).insertAndFetch({
        id: randomBytes(12).toString('base64url'),
        username: input.username,
        email,
        ...keys,
        password,
        first_name: normalizeName(input.firstName),
        last_name: normalizeName(input.lastName),
        registered_in_crowd: isInCrowd,
        created_at: now,
        updated_at: now,
      });
      await claimVotes(trx, user.id, origin.voter);
      await recordSignUp(trx, user.id, now, context.config.earlyAdopterUntil);
      const recoveryCodes = await storeNewCodes(trx, user.id);
      if (asksToConfirm) await requestConfirmation(trx, context, user.id, email);
      const { user: presented, session } = signInOf(user, now);
      return { user: { ...presented, recoveryCodes, emailToConfirm: asksToConfirm ? email : null }, session };
    });
    await rememberOrigin(context, created.user.id, origin);
    return created;
  } catch (error) {
    // Another registration took the name while this password was hashed.
    if (error instanceof UniqueViolationError) throw errors.usernameTaken();
    throw error;
  }
}

/** Makes the address and the device of a sign-in known to the account. */
export async function rememberOrigin(
  { db, clock, attempts }: Pick<AccountsContext, 'db' | 'clock' | 'attempts'>,
  userId: string,
  { address, device }: SignInOrigin,
): Promise<void> {
  await attempts.remember(['signedInBefore', `${userId} ${address}`]);
  await rememberDevice(db, { digest: deviceDigest(device, userId), userId }, clock.now());
}

/** No account has this id: looking up its devices and codes takes as long as for a real account. */
export const nobody = '';

/**
 * Signs in with a username or email address and a password. Throws INVALID_CREDENTIALS (after the same time for unknown
 * names), SECOND_STEP_REQUIRED and what is wrong with that step (only for the right password), RATE_LIMITED, OVERLOADED.
 */
export async function login(context: AccountsContext, input: Login, origin: SignInOrigin): Promise<SignIn> {
  const { db, attempts } = context;
  const { user, typed } = await findTypedUser(db, input.username);
  const knownAddress = `${user?.id ?? typed} ${origin.address}`;
  // By what was typed: a limit shared by a username and an address would tell that they belong together.
  const device = deviceDigest(origin.device, user?.id ?? nobody);
  const isKnownHere = await isKnownDevice(db, device, context.clock.now());
  // Other people’s guesses at the same address must not lock out a known device.
  const counted: Attempt[] = [['signInHere', `${typed} ${isKnownHere ? device : origin.address}`]];
  // Guesses from other addresses must not lock out a member who has signed in from this address before.
  const isKnown = (await attempts.used(['signedInBefore', knownAddress])) > 0 || isKnownHere;
  if (!isKnown)
    counted.push(
      ['signInNearby', `${typed} ${subnetOf(origin.address)}`],
      ['signInFromAddress', origin.address],
      ['signInFromSubnet', subnetOf(origin.address)],
    );
  const member = isKnown ? user?.id : undefined;
  let isGuessed = false;
  const right = await isRight(context, input.password, user?.password ?? null, {
    ...{ counted, member },
    async attempt(check) {
      if (isKnown) return check();
      const watched = await attempts.watch(['signInAnywhere', typed], check);
      isGuessed = watched.usedUp;
      return watched.right;
    },
  });
  if (!user || !right) throw errors.invalidCredentials();
  if (isGuessed) await takeSecondStep(context, { user, device, typed }, input, origin);
  await rememberOrigin(context, user.id, origin);
  await claimVotes(db, user.id, origin.voter);
  return signInOf(user, context.clock.now());
}

/** Changes the name, or removes the picture; fields that are left out stay. Throws VALIDATION_FAILED. */
export async function changeUser(
  { db, clock, config }: Pick<RegistrationContext, 'db' | 'clock' | 'config'>,
  userId: string,
  change: UserChange,
): Promise<User> {
  throwIfAny(nameFindings(change, config.siteName));
  const { firstName, lastName, profileImageUrl: picture } = change;
  const now = clock.now();
  return db.transaction(async (trx) => {
    const user = await UserModel.query(trx).patchAndFetchById(userId, {
      ...(firstName !== undefined && { first_name: normalizeName(firstName) }),
      ...(lastName !== undefined && { last_name: normalizeName(lastName) }),
      ...(picture === null && { profile_image_url: null }),
      updated_at: now,
    });
    if (!user) throw errors.unauthenticated();
    if (picture === null) await deletePicture(trx, userId);
    return presentUser(user, now);
  });
}

/**
 * Changes the password and ends every session of the account; returns the data for the caller's new session. Throws
 * WRONG_PASSWORD, VALIDATION_FAILED, RATE_LIMITED, OVERLOADED.
 */
export async function changePassword(
  context: AccountsContext,
  userId: string,
  { currentPassword, newPassword }: PasswordChange,
): Promise<SessionData> {
  const { db, passwords } = context;
  const user = await confirmPassword(context, userId, currentPassword);
  const password = await passwords.hash(newPassword, {
    member: userId,
    field: 'newPassword',
    owner: presentUser(user, context.clock.now()),
  });
  // Of two concurrent changes, the second one’s current password is outdated.
  const changed = await db.transaction((trx) => replacePassword(trx, context, user, password));
  if (!changed) throw errors.wrongPassword();
  return { userId, stamp: passwordStamp(password) };
}

/** Stores a new password hash and ends every session and reset link; false, and no change, if the password has changed meanwhile. */
export async function replacePassword(
  trx: Database,
  { clock, mail }: Pick<AccountsContext, 'clock' | 'mail'>,
  user: UserModel,
  password: string,
): Promise<boolean> {
  const { id, password: previous } = user;
  const now = clock.now();
  const changed = await UserModel.query(trx).where({ id, password: previous }).patch({ password, updated_at: now });
  if (changed === 0) return false;
  await removeSessionsOf(trx, id);
  await expireResetLinks(trx, id, now);
  // Somebody else who had the password may have asked to change the address.
  await cancelEmailChange(trx, id);
  await notifyByMail(trx, mail, user, 'password-changed');
  return true;
}

/** The account of a signed-in member who has typed the password again; throws WRONG_PASSWORD, RATE_LIMITED. */
export async function confirmPassword(context: AccountsContext, userId: string, password: string): Promise<UserModel> {
  const user = await UserModel.query(context.db).findById(userId);
  if (!user) throw errors.unauthenticated();
  const options = { counted: [['passwordCheck', userId]], member: userId } as const;
  if (!(await isRight(context, password, user.password, options))) throw errors.wrongPassword();
  return user;
}

/** Checks a password and counts a wrong one; `attempt` calls the check. Throws RATE_LIMITED, OVERLOADED. */
async function isRight(
  { passwords, attempts }: AccountsContext,
  password: string,
  phc: string | null,
  {
    counted,
    member,
    attempt = (check) => check(),
  }: {
    readonly counted: readonly Attempt[];
    readonly member: string | undefined;
    readonly attempt?: (check: () => Promise<boolean>) => Promise<boolean>;
  },
): Promise<boolean> {
  // A limited attempt takes no place in the queue.
  await attempts.refuse(counted);
  return passwords.matches(password, phc, {
    member,
    // Counted after waiting, since a full queue refuses without an attempt; and before the check, so that concurrent
    // guesses are all counted.
    attempt: (check) => attempts.check(counted, () => attempt(check)),
  });
}

/** The response to a sign-in, and the data of its session. */
export const signInOf = (user: UserModel, now: number): SignIn => ({
  user: presentUser(user, now),
  session: { userId: user.id, stamp: passwordStamp(user.password) },
});

/** The account of a signed-in member; throws UNAUTHENTICATED when it was deleted in the meantime. */
export async function accountOf(db: Database, userId: string, now: number): Promise<User> {
  const user = await findAccount(db, userId, now);
  if (!user) throw errors.unauthenticated();
  return user;
}

/** An account as its owner sees it. */
export async function findAccount(db: Database, userId: string, now: number): Promise<User | undefined> {
  const user = await UserModel.query(db).findById(userId);
  return user && presentUser(user, now);
}

/**
 * Deletes an account with its sessions, invitations, activities, and badges; its votes stay without an account. Other
 * features clean up before, in the same transaction.
 */
export async function removeAccount(trx: Database, userId: string): Promise<void> {
  // A vote or a sign-in that is adding votes to the account ends first.
  await UserModel.query(trx).findById(userId).forUpdate();
  await detachVotes(trx, userId);
  await UserModel.query(trx).deleteById(userId);
}

function throwIfAny(findings: readonly Finding[]): void {
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
}

function presentUser(user: UserModel, now: number): User {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    profileImageUrl: user.profile_image_url,
    createdAt: iso(user.created_at),
    updatedAt: iso(user.updated_at),
    ...(isSuspended(user, now) && { suspended: true }),
  };
}

/**
 * The account that a key signs in to: by username, or by email address if the key has an @. The account that confirmed
 * an address comes first, then the oldest one with it: adding an address takes over nobody's sign-in.
 */
export async function findUserByKey(db: Database, key: string): Promise<UserModel | undefined> {
  if (!key.includes('@')) return await UserModel.query(db).findOne({ username_key: key });
  return await UserModel.query(db)
    .where({ email_key: key })
    .orderByRaw('email_confirmed_at is null, created_at, id')
    .first();
}

/** The account that a typed username or email address signs in to, and the key of what was typed. */
export async function findTypedUser(
  db: Database,
  name: string,
): Promise<{ readonly user: UserModel | undefined; readonly typed: string }> {
  const typed = accountKey(name);
  // No account has an unstorable key, and PostgreSQL would refuse the query.
  const user = isStorable(typed) ? await findUserByKey(db, typed) : undefined;
  return { user, typed };
}

async function isUsernameTaken(db: Database, username_key: string): Promise<boolean> {
  return (await UserModel.query(db).findOne({ username_key }).select('id')) !== undefined;
}

/** An account of the demonstration data. */
interface LockedAccount {
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Creates accounts that no password opens; returns false and creates none when one of the names is taken. */
export async function createLockedAccounts(
  trx: Database,
  accounts: readonly LockedAccount[],
  now: number,
): Promise<boolean> {
  for (const { username } of accounts) if (await isUsernameTaken(trx, accountKey(username))) return false;
  for (const { id, username, firstName, lastName } of accounts)
    await UserModel.query(trx).insert({
      id,
      username,
      username_key: accountKey(username),
      password: dummyHash,
      first_name: firstName,
      last_name: lastName,
      created_at: now,
      updated_at: now,
    });
  return true;
}

/** Deletes those of these accounts that no password opens. */
export async function removeLockedAccounts(db: Database, ids: readonly string[]): Promise<void> {
  await UserModel.query(db)
    .delete()
    .whereIn('id', [...ids])
    .where({ password: dummyHash });
}

import { randomBytes } from 'node:crypto';
import { UniqueViolationError } from 'objection';
import type { Login, PasswordChange, Registration, User, UserChange } from '#contract/account.ts';
import { accountFindings, accountKey, tidyName } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { SessionData } from '#platform/session.ts';
import type { Voter } from '#api/voting/voter.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import type { Finding } from '#texts/field-errors.ts';
import { recordSignUp } from '#api/badges/events.service.ts';
import { claimVotes } from '#api/voting/voting.service.ts';
import type { Passwords } from './passwords.service.ts';
import { passwordStamp } from './session-store.service.ts';
import type { UserModel } from './user.model.ts';
import { presentUser } from './user.presenter.ts';
import { removeSessionsOf } from './sessions.queries.ts';
import {
  changePasswordHash,
  findUser,
  findUserByKey,
  insertUser,
  isUsernameTaken,
  patchUser,
  removeUser,
} from './users.queries.ts';

/** What the use cases of accounts are built over. */
export interface AccountsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
}

/** What registering needs beside them. */
interface RegistrationContext extends AccountsContext {
  readonly config: Pick<Config, 'earlyAdopterUntil'>;
}

/** Who wants to sign in: the address that limits count, and the votes of this device or browser. */
export interface Newcomer {
  readonly address: string;
  readonly voter: Voter | null;
}

/** Somebody whose password was right or is new: the account, and what the session is opened with. */
export interface SignIn {
  readonly user: User;
  readonly session: SessionData;
}

/**
 * Makes an account; what this voter voted before is its from now on. Throws VALIDATION_FAILED, USERNAME_TAKEN,
 * RATE_LIMITED, OVERLOADED.
 */
export async function register(context: RegistrationContext, input: Registration, who: Newcomer): Promise<SignIn> {
  const { db, clock, passwords, attempts } = context;
  refuse(accountFindings(input));
  const email = tidyName(input.email);
  const keys = { username_key: accountKey(input.username), email_key: email === null ? null : accountKey(email) };
  const counted: Attempt[] = [
    ['registerFromAddress', who.address],
    ['registerFromSubnet', subnetOf(who.address)],
  ];
  await attempts.refuse(counted);
  const password = await passwords.hash(input.password, {
    async stillWanted() {
      // Those that find a name taken count too: they would tell a stranger who is here.
      await attempts.count(counted);
      if (await isUsernameTaken(db, keys.username_key)) throw errors.usernameTaken();
    },
  });

  const now = clock.now();
  try {
    const made = await db.transaction(async (trx) => {
      const user = await insertUser(trx, {
        id: randomBytes(12).toString('base64url'),
        username: input.username,
        email,
        ...keys,
        password,
        first_name: tidyName(input.firstName),
        last_name: tidyName(input.lastName),
        created_at: now,
      });
      await claimVotes(trx, user.id, who.voter);
      await recordSignUp(trx, user.id, now, context.config.earlyAdopterUntil);
      return signInOf(user);
    });
    await attempts.remember(['signedInBefore', `${made.user.id} ${who.address}`]);
    return made;
  } catch (error) {
    // Somebody else took the name while this password was hashed.
    if (error instanceof UniqueViolationError) throw errors.usernameTaken();
    throw error;
  }
}

/**
 * The account behind a username (or an email address) and its password. Throws INVALID_CREDENTIALS in equal time,
 * RATE_LIMITED, OVERLOADED.
 */
export async function login(context: AccountsContext, input: Login, who: Newcomer): Promise<SignIn> {
  const { db, attempts } = context;
  const key = accountKey(input.username);
  // No account has such a key, and PostgreSQL would not even look.
  const user = isStorable(key) ? await findUserByKey(db, key) : undefined;
  const account = user?.id ?? key;
  const here = `${account} ${who.address}`;
  const counted: Attempt[] = [['signInHere', here]];
  // Neither strangers with many addresses nor neighbors keep a person out who signed in from this address before.
  const isKnown = await attempts.isCounted(['signedInBefore', here]);
  if (!isKnown)
    counted.push(
      ['signInNearby', `${account} ${subnetOf(who.address)}`],
      ['signInAnywhere', account],
      ['signInFromAddress', who.address],
      ['signInFromSubnet', subnetOf(who.address)],
    );
  const member = isKnown ? account : undefined;
  const right = await isRight(context, input.password, user?.password ?? null, { counted, member });
  if (!user || !right) throw errors.invalidCredentials();
  await attempts.remember(['signedInBefore', here]);
  await claimVotes(db, user.id, who.voter);
  return signInOf(user);
}

/** Changes name and picture; what is left out stays. Throws VALIDATION_FAILED. */
export async function changeUser(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  userId: string,
  change: UserChange,
): Promise<User> {
  refuse(accountFindings(change));
  const { firstName, lastName, profileImageUrl: picture } = change;
  const user = await patchUser(db, userId, {
    ...(firstName !== undefined && { first_name: tidyName(firstName) }),
    ...(lastName !== undefined && { last_name: tidyName(lastName) }),
    ...(picture !== undefined && { profile_image_url: picture === null ? null : new URL(picture).href }),
    updated_at: clock.now(),
  });
  if (!user) throw errors.unauthenticated();
  return presentUser(user);
}

/**
 * Changes the password and ends every session of the account; answers what the own one begins anew with. Throws
 * WRONG_PASSWORD, RATE_LIMITED, OVERLOADED.
 */
export async function changePassword(
  context: AccountsContext,
  userId: string,
  { currentPassword, newPassword }: PasswordChange,
): Promise<SessionData> {
  const { db, clock, passwords } = context;
  const user = await confirmPassword(context, userId, currentPassword);
  const password = await passwords.hash(newPassword, { member: userId });
  await db.transaction(async (trx) => {
    // Of two changes at once, the second one's current password is no longer that.
    if (!(await changePasswordHash(trx, { id: userId, from: user.password, to: password }, clock.now())))
      throw errors.wrongPassword();
    await removeSessionsOf(trx, userId);
  });
  return { userId, stamp: passwordStamp(password) };
}

/** The account of somebody who is signed in and has typed the password again; throws WRONG_PASSWORD, RATE_LIMITED. */
export async function confirmPassword(context: AccountsContext, userId: string, password: string): Promise<UserModel> {
  const user = await findUser(context.db, userId);
  if (!user) throw errors.unauthenticated();
  const turn = { counted: [['passwordCheck', userId]], member: userId } as const;
  if (!(await isRight(context, password, user.password, turn))) throw errors.wrongPassword();
  return user;
}

/** Whether a password is right; a wrong one is counted. Throws RATE_LIMITED, OVERLOADED. */
async function isRight(
  { passwords, attempts }: AccountsContext,
  password: string,
  phc: string | null,
  { counted, member }: { readonly counted: readonly Attempt[]; readonly member: string | undefined },
): Promise<boolean> {
  // What a limit refuses takes no place in the line.
  await attempts.refuse(counted);
  return passwords.matches(password, phc, {
    member,
    // Counted when its turn has come: what finds the line full was no attempt. Before the check, so that guesses that
    // arrive together are all seen.
    attempt: (check) => attempts.check(counted, check),
  });
}

const signInOf = (user: UserModel): SignIn => ({
  user: presentUser(user),
  session: { userId: user.id, stamp: passwordStamp(user.password) },
});

/** The account of somebody who is signed in; throws UNAUTHENTICATED when it was deleted a moment ago. */
export async function accountOf(db: Database, userId: string): Promise<User> {
  const user = await findUser(db, userId);
  if (!user) throw errors.unauthenticated();
  return presentUser(user);
}

/**
 * Removes an account with its sessions and everything else that is nobody else's: invitations, activities, badges.
 * Its votes stay as nobody's. What other rooms have to see to is done before, in the same transaction.
 */
export async function removeAccount(trx: Database, userId: string): Promise<void> {
  await removeUser(trx, userId);
}

function refuse(findings: readonly Finding[]): void {
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
}

import type { PasswordReset, Recovery } from './account-security.contract.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { errorTexts } from '#texts/errors.ts';
import { accountSubject } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { claimVotes } from '#api/voting/voting.service.ts';
import {
  confirmPassword,
  findTypedUser,
  nobody,
  rememberOrigin,
  replacePassword,
  signInOf,
} from './accounts.service.ts';
import type { AccountsContext, SignIn, SignInOrigin } from './accounts.service.ts';
import { notifyByMail } from './email-changes.service.ts';
import { operatorsAmong } from './operator-accounts.service.ts';
import { codeAttempts, isUnusedCode, storeNewCodes, useCode } from './recovery-codes.service.ts';
import { userOfResetLink, useResetLink } from './reset-links.service.ts';
import { UserModel } from './user.model.ts';

/** Replaces a member’s recovery codes, given the password, and mails a notice. Throws WRONG_PASSWORD, RATE_LIMITED, OVERLOADED. */
export async function createRecoveryCodes(
  context: AccountsContext,
  userId: string,
  password: string,
): Promise<{ recoveryCodes: string[] }> {
  const confirmed = await confirmPassword(context, userId, password);
  const recoveryCodes = await context.db.transaction(async (trx) => {
    // Concurrent requests replace the codes one after the other.
    const user = await UserModel.query(trx).findById(userId).forUpdate();
    if (!user) throw errors.unauthenticated();
    if (user.password !== confirmed.password) throw errors.wrongPassword();
    await notifyByMail(trx, context.mail, user, 'codes-created');
    return storeNewCodes(trx, userId);
  });
  return { recoveryCodes };
}

/**
 * Sets a new password with a recovery code, ends every session of the account, and signs in; the email address has to be
 * confirmed again. Throws INVALID_RECOVERY_CODE (after the same work for unknown names), VALIDATION_FAILED, RATE_LIMITED,
 * OVERLOADED; the code is then not used up.
 */
export async function recover(context: AccountsContext, input: Recovery, origin: SignInOrigin): Promise<SignIn> {
  const { db, attempts } = context;
  const { user, typed } = await findTypedUser(db, input.username);
  const right = await attempts.check(codeAttempts(typed, origin.address), () =>
    isUnusedCode(db, user?.id ?? nobody, input.code),
  );
  if (!user || !right) throw errors.invalidRecoveryCode();

  return setPassword(context, user, input.newPassword, origin, async (trx) => {
    // Of two concurrent requests with one code, only one deletes its row.
    if (!(await useCode(trx, user.id, input.code))) throw errors.invalidRecoveryCode();
    await distrustEmail(trx, user.id);
  });
}

/**
 * Sets a new password with a reset link, ends every session and recovery code of the account, and signs in; after a link that
 * was not mailed, the email address has to be confirmed again. Throws INVALID_RESET_LINK, VALIDATION_FAILED, OVERLOADED; the link is then not used up.
 */
export async function resetPassword(
  context: AccountsContext,
  { token, newPassword }: PasswordReset,
  origin: SignInOrigin,
): Promise<SignIn> {
  const { db, clock } = context;
  const user = await userOfResetLink(db, token, clock.now());
  if (!user) throw errors.invalidResetLink();
  return setPassword(context, user, newPassword, origin, async (trx) => {
    const maker = await useResetLink(trx, token, clock.now());
    if (maker === undefined) throw errors.invalidResetLink();
    // Somebody else who had the password may have created codes.
    await trx('recovery_codes').where({ user_id: user.id }).del();
    if (maker !== 'mail') await distrustEmail(trx, user.id);
  });
}

/** Makes an address unconfirmed: somebody else who had the password may have confirmed their own. */
async function distrustEmail(trx: Database, userId: string): Promise<void> {
  await UserModel.query(trx).findById(userId).patch({ email_confirmed_at: null });
}

/** Sets a new password and signs in; `useUp` uses up what authorizes it, in the same transaction, and may throw. */
async function setPassword(
  context: AccountsContext,
  user: UserModel,
  newPassword: string,
  origin: SignInOrigin,
  useUp: (trx: Database) => Promise<void>,
): Promise<SignIn> {
  const { db, clock, passwords } = context;
  const password = await passwords.hash(newPassword, {
    member: user.id,
    field: 'newPassword',
    owner: signInOf(user, clock.now()).user,
  });
  await db.transaction(async (trx) => {
    // The account before its codes and links, as where these are made: otherwise the two would deadlock.
    await UserModel.query(trx).findById(user.id).forUpdate();
    await useUp(trx);
    const changed = await replacePassword(trx, context, user, password);
    if (!changed) throw errors.conflict(errorTexts.CONFLICT);
    // Somebody else may have the lost device, or have added a passkey with the password. The passkeys of operators stay:
    // without them, whoever reads the mails of an operator could open the admin pages.
    if ((await operatorsAmong(trx, [user.id])).size === 0) await trx('passkeys').where({ user_id: user.id }).del();
    await record(trx, { type: 'account.recovered', at: clock.now(), subject: accountSubject, account: user.id });
  });
  await rememberOrigin(context, user.id, origin);
  await claimVotes(db, user.id, origin.voter);
  return signInOf(Object.assign(user, { password }), clock.now());
}

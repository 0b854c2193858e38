import type { EmailChange, ResetRequest } from './account-security.contract.ts';
import { accountKey } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import { isUniqueViolation } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { confirmPassword } from './accounts.service.ts';
import type { AccountsContext } from './accounts.service.ts';
import { normalizeEmail } from './email-address.service.ts';
import { cancelEmailChange, notifyByMail, requestConfirmation } from './email-changes.service.ts';
import { expireResetLinks } from './reset-links.service.ts';
import { UserModel } from './user.model.ts';

/**
 * Asks for a mail with a reset link. Whether there is such an account, and one with a confirmed address, is only found out
 * when the mail is sent: the response and its time can’t tell. Throws NOT_FOUND on a site without mail, RATE_LIMITED.
 */
export async function requestPasswordReset(
  { db, attempts, mail }: AccountsContext,
  { username }: ResetRequest,
  address: string,
): Promise<void> {
  if (!mail.on) throw errors.noMail();
  const typed = accountKey(username);
  const subnet = subnetOf(address);
  await attempts.count([
    ['resetMailNearby', `${typed} ${subnet}`],
    ['resetMailFromAddress', address],
    ['resetMailFromSubnet', subnet],
  ]);
  // PostgreSQL would refuse the text; nobody has such a name.
  const data = isStorable(typed) ? typed : '';
  await mail.queue(db, { kind: 'reset-password', userId: null, recipient: null, data });
}

/**
 * Mails a link to an address, which replaces the account’s address once the link is opened. Throws WRONG_PASSWORD, NOT_FOUND
 * on a site without mail, RATE_LIMITED, OVERLOADED.
 */
export async function changeEmail(
  context: AccountsContext,
  userId: string,
  { password, email: typed }: EmailChange,
): Promise<void> {
  const { db, attempts, mail } = context;
  if (!mail.on) throw errors.noMail();
  const email = normalizeEmail(typed);
  const confirmed = await confirmPassword(context, userId, password);
  await attempts.count([
    ['confirmationMail', userId],
    ['confirmationMailTo', accountKey(email)],
  ]);
  await db.transaction(async (trx) => {
    const user = await UserModel.query(trx).findById(userId).forUpdate();
    if (!user) throw errors.unauthenticated();
    if (user.password !== confirmed.password) throw errors.wrongPassword();
    await requestConfirmation(trx, context, userId, email);
  });
}

/**
 * Makes the address that a link was mailed to the account’s, and tells the previous one. Throws INVALID_EMAIL_LINK,
 * EMAIL_TAKEN.
 */
export async function confirmEmail(
  { db, clock, mail }: Pick<AccountsContext, 'db' | 'clock' | 'mail'>,
  token: string,
): Promise<{ email: string }> {
  const now = clock.now();
  const digest = hashSecret(token);
  try {
    return await db.transaction(async (trx) => {
      const change = trx('email_changes').where({ digest }).where('expires_at', '>', now);
      const found = await change.clone().first('user_id', 'email');
      // The account before its change, as everywhere: otherwise the two would deadlock.
      const user = found && (await UserModel.query(trx).findById(found.user_id).forUpdate());
      // Of two concurrent requests, only one deletes the row.
      if (!user || (await change.del()) === 0) throw errors.invalidEmailLink();
      const { email } = found;
      await UserModel.query(trx)
        .findById(user.id)
        .patch({ email, email_key: accountKey(email), email_confirmed_at: now, updated_at: now });
      if (user.email_key !== accountKey(email)) {
        // They may have been mailed to the previous address.
        await expireResetLinks(trx, user.id, now);
        await notifyByMail(trx, mail, user, 'email-changed');
      }
      return { email };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw errors.emailTaken();
    throw error;
  }
}

/** Removes an account’s address, and tells it so. Throws WRONG_PASSWORD, RATE_LIMITED, OVERLOADED. */
export async function removeEmail(context: AccountsContext, userId: string, password: string): Promise<void> {
  const { db, clock, mail } = context;
  const confirmed = await confirmPassword(context, userId, password);
  await db.transaction(async (trx) => {
    const user = await UserModel.query(trx).findById(userId).forUpdate();
    if (!user) throw errors.unauthenticated();
    if (user.password !== confirmed.password) throw errors.wrongPassword();
    const now = clock.now();
    await notifyByMail(trx, mail, user, 'email-removed');
    await cancelEmailChange(trx, userId);
    await expireResetLinks(trx, userId, now);
    await UserModel.query(trx)
      .findById(userId)
      .patch({ email: null, email_key: null, email_confirmed_at: null, updated_at: now });
  });
}

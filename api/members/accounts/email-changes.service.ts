import { emailLinkDays } from '#contract/limits.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { MailKind, Outbox } from '#api/mail/outbox.service.ts';
import type { UserModel } from './user.model.ts';

/** Milliseconds for which a link that confirms an address works, and after which an unconfirmed change is forgotten. */
export const emailLinkMs = emailLinkDays * 86_400_000;
const forgottenAfterMs = 7 * 86_400_000;

interface EmailChangesContext {
  readonly clock: Clock;
  readonly mail: Outbox;
}

/**
 * Queues the mail that asks to confirm an address, which replaces another one that waits, and a reminder for when its link has
 * expired. The account must be locked.
 */
export async function requestConfirmation(
  trx: Database,
  { clock, mail }: EmailChangesContext,
  userId: string,
  email: string,
): Promise<void> {
  if (!mail.on) return;
  const now = clock.now();
  await trx('email_changes')
    .insert({ user_id: userId, email, requested_at: now, digest: null, expires_at: null })
    .onConflict('user_id')
    .merge();
  await mail.queue(trx, { kind: 'confirm-email', userId, recipient: email });
  // Addressed when it is sent, if this request still waits then.
  await mail.queue(trx, {
    ...{ kind: 'confirm-reminder', userId, recipient: null },
    ...{ data: String(now), afterMs: emailLinkMs },
  });
}

/** Forgets an address that was not confirmed yet. */
export async function cancelEmailChange(trx: Database, userId: string): Promise<void> {
  await trx('email_changes').where({ user_id: userId }).del();
}

/** Queues a mail about a change to the address that the account had confirmed before; without one, nobody is told. */
export async function notifyByMail(
  trx: Database,
  mail: Outbox,
  user: Pick<UserModel, 'id' | 'email' | 'email_confirmed_at'>,
  kind: Exclude<
    MailKind,
    | 'confirm-email'
    | 'confirm-reminder'
    | 'reset-password'
    | 'digest'
    | 'desk'
    | 'invitation'
    | 'vote-code'
    | 'sign-in-code'
  >,
): Promise<void> {
  if (user.email_confirmed_at !== null) await mail.queue(trx, { kind, userId: user.id, recipient: user.email });
}

/** The confirmed address of a member; null without one. */
export async function confirmedAddress(db: Database, userId: string): Promise<string | null> {
  const [email] = await db('users').where({ id: userId }).whereNotNull('email_confirmed_at').pluck('email');
  return email ?? null;
}

/** Whether the account’s address is confirmed, and one that waits for it. */
export async function emailOf(db: Database, userId: string): Promise<UserExport['email']> {
  const [confirmedAt = null] = await db('users').where({ id: userId }).pluck('email_confirmed_at');
  const [pending = null] = await db('email_changes').where({ user_id: userId }).pluck('email');
  return { confirmed: confirmedAt !== null, pending };
}

/** Forgets addresses that were not confirmed within a week. */
export async function removeOldEmailChanges(db: Database, now: number): Promise<void> {
  await db('email_changes')
    .where('requested_at', '<=', now - forgottenAfterMs)
    .del();
}

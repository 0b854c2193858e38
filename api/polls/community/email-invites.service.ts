import { randomBytes } from 'node:crypto';
import { confirmedAddress } from '#api/members/accounts/email-changes.service.ts';
import type { QueuedMail, Outbox } from '#api/mail/outbox.service.ts';
import { renderMail } from '#api/mail/render.service.ts';
import type { ComposedMail } from '#api/mail/render.service.ts';
import { addressDigest, areInvitationsStopped, unsubscribeLinks } from '#api/mail/unsubscribe.service.ts';
import type { EmailInvite } from './invitations.contract.ts';
import { invitationDays } from '#contract/limits.ts';
import { accountKey } from '#domain/account-rules.ts';
import type { Attempts } from '#platform/attempts.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { invitationMail } from '#texts/mail.ts';
import type { MailSite } from '#texts/mail.ts';

const storedMs = invitationDays * 86_400_000;

/** A row of `email_invites`; times in milliseconds. */
type EmailInviteRow = Row<'email_invites'>;

/**
 * Stores an invitation of an address, whoever has it, and queues its mail; a repeated one is the same invitation, and mails
 * nothing. The poll must be locked.
 */
export async function inviteAddress(
  trx: Database,
  { mail, now }: { readonly mail: Outbox; readonly now: number },
  { pollId, creatorId, email }: { readonly pollId: string; readonly creatorId: string; readonly email: string },
  mayMail: boolean,
): Promise<EmailInvite> {
  const keys = { poll_id: pollId, email_key: accountKey(email) };
  const [added] = await trx('email_invites')
    .insert({ ...keys, id: randomBytes(12).toString('base64url'), email, invited_at: now })
    .onConflict(['poll_id', 'email_key'])
    .ignore()
    .returning('*');
  // The creator's: when that account is deleted, nothing is sent.
  if (added && mayMail)
    await mail.queue(trx, { kind: 'invitation', userId: creatorId, recipient: email, data: added.id });
  return presentEmailInvite(added ?? (await trx('email_invites').where(keys).first<EmailInviteRow>()));
}

/** Queues the mail of an invitation of a member; it is sent if the member has a confirmed address. */
export async function mailInvitation(trx: Database, mail: Outbox, guestId: string, pollId: string): Promise<void> {
  await mail.queue(trx, { kind: 'invitation', userId: guestId, recipient: null, data: pollId });
}

/**
 * Counts a mail to an address; false when its owner got enough of them. The sender isn't told: that would reveal what others
 * do. Throws RATE_LIMITED when this member has invited enough.
 */
export async function mayMailInvitation(attempts: Attempts, creatorId: string, subject: string): Promise<boolean> {
  await attempts.count([['invitationMail', creatorId]], errors.rateLimited);
  return attempts.allow([['invitationMailTo', subject]]);
}

/** Makes the mail of an invitation when it is sent; null if it was withdrawn, or the owner of the address wants none. */
export function invitationComposer({
  db,
  clock,
  config,
  keys,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: MailSite;
  readonly keys: readonly string[];
}): (mail: QueuedMail) => Promise<ComposedMail | null> {
  const render = async (email: string, path: string) => {
    if (await areInvitationsStopped(db, email)) return null;
    const { url, headers } = unsubscribeLinks(config.publicUrl, 'stop', { subject: addressDigest(email), keys });
    return { ...renderMail(email, invitationMail(config, config.publicUrl + path, url)), headers };
  };
  const openPoll = (id: string) => db('community_polls').where({ id, visibility: 'private', taken_down_by: null });
  return async ({ userId, recipient, data }) => {
    if (recipient === null) {
      const member = { user_id: userId! };
      const guest = { poll_id: data!, ...member };
      const email = await confirmedAddress(db, userId!);
      const muted = await db('notification_mutes')
        .where({ ...member, kind: 'invited' })
        .first('user_id');
      // One mail for an invitation: the digest has it, too.
      const digest = await db('notification_readers').where(member).whereNotNull('digest').first('user_id');
      if (email === null || muted || digest || !(await db('community_poll_guests').where(guest).first('user_id')))
        return null;
      if (!(await openPoll(guest.poll_id).first('id'))) return null;
      return render(email, `/community-polls/${guest.poll_id}`);
    }
    const secret = randomBytes(32).toString('base64url');
    const [invite] = await validInvites(db, clock.now())
      .where({ id: data! })
      .update({ digest: hashSecret(secret) })
      .returning('poll_id');
    if (!invite || !(await openPoll(invite.poll_id).first('id'))) return null;
    // The fragment is not sent to servers, which may log addresses.
    return render(recipient, `/community-polls/join#invite=${secret}`);
  };
}

const validInvites = (db: Database, now: number) => db('email_invites').where('invited_at', '>', now - storedMs);

/** The invitation whose mailed link has this secret; deleting it uses it up. */
export const mailedInvite = (db: Database, secret: string, now: number) =>
  validInvites(db, now).where({ digest: hashSecret(secret) });

/** Invitations of addresses that have not been accepted, in their order. */
export async function emailInvitesOf(db: Database, pollId: string, now: number): Promise<EmailInvite[]> {
  const rows = await validInvites(db, now).where({ poll_id: pollId }).orderBy(['invited_at', 'id']).select();
  return rows.map(presentEmailInvite);
}

/** Invitations of addresses to polls of this member, for their own export. */
export async function emailInvitesBy(db: Database, userId: string): Promise<(EmailInvite & { pollId: string })[]> {
  const rows = await db('email_invites')
    .whereIn('poll_id', db('community_polls').where({ created_by: userId }).select('id'))
    .orderBy(['invited_at', 'id'])
    .select();
  return rows.map((row) => ({ pollId: row.poll_id, ...presentEmailInvite(row) }));
}

/** Deletes invitations of addresses whose links no longer work. */
export async function removeOldEmailInvites(db: Database, now: number): Promise<void> {
  await db('email_invites')
    .where('invited_at', '<=', now - storedMs)
    .del();
}

const presentEmailInvite = ({ id, email, invited_at }: EmailInviteRow): EmailInvite => ({
  ...{ id, email, invitedAt: iso(invited_at) },
});

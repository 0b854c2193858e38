import type { BodyOf } from '#contract/endpoints.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { digestMail, notificationPath, notificationText, notificationTexts as texts } from '#texts/notifications.ts';
import { confirmedAddress } from '#api/accounts/email-changes.service.ts';
import type { MailRow, Outbox } from '#api/mail/outbox.service.ts';
import { renderMail } from '#api/mail/render.service.ts';
import type { ComposedMail } from '#api/mail/render.service.ts';
import {
  isAddressDigest,
  stopInvitations,
  unsubscribedSubject,
  unsubscribeLinks,
} from '#api/mail/unsubscribe.service.ts';
import { newestNotifications } from './notifications.service.ts';
import type { NotificationsContext } from './notifications.service.ts';
import { lockReader } from './results.service.ts';

/** Milliseconds between two digests. */
const periodMs = { daily: 86_400_000, weekly: 7 * 86_400_000 } as const;

/** Members whose digests are queued in one transaction. */
const batch = 100;

interface DigestContext extends NotificationsContext {
  /** Keys that sign links to unsubscribe, newest first. */
  readonly keys: readonly string[];
  readonly mail: Outbox;
  readonly config: { readonly publicUrl: string; readonly siteName: string };
}

/** Sets how often a member gets a digest. Throws NOT_FOUND on a site without mail, CONFLICT without a confirmed address. */
export async function setDigest(
  { db, clock, mail }: Pick<DigestContext, 'db' | 'clock' | 'mail'>,
  userId: string,
  { every }: BodyOf<'setDigest'>,
): Promise<void> {
  if (every !== 'off' && !mail.on) throw errors.noMail();
  await db.transaction(async (trx) => {
    if ((await lockReader(trx, userId)) === null) throw errors.unauthenticated();
    if (every !== 'off' && (await confirmedAddress(trx, userId)) === null)
      throw errors.conflict(texts.digest.noAddress);
    const setting =
      every === 'off'
        ? { digest: null, digest_due_at: null }
        : { digest: every, digest_due_at: clock.now() + periodMs[every] };
    await trx('notification_readers').where({ user_id: userId }).update(setting);
  });
}

/** The address that digests of a member go to; null without a confirmed one, or without mail. */
export async function digestAddress(
  { db, mail }: Pick<DigestContext, 'db' | 'mail'>,
  userId: string,
): Promise<string | null> {
  return mail.on ? confirmedAddress(db, userId) : null;
}

interface DueReader {
  readonly user_id: string;
  readonly digest: keyof typeof periodMs;
  readonly digest_due_at: number;
}

/** Queues the digests that are due; of several processes, one queues each. */
export async function queueDigests({ db, clock, mail }: Pick<DigestContext, 'db' | 'clock' | 'mail'>): Promise<void> {
  const now = clock.now();
  const due = (handle: Database) => handle('notification_readers').where('digest_due_at', '<=', now);
  while ((await due(db).first('user_id')) !== undefined)
    await db.transaction(async (trx) => {
      const some = due(trx).orderBy('digest_due_at').limit(batch);
      if (!isSqlite(trx)) void some.forUpdate().skipLocked();
      for (const reader of await some.select<DueReader[]>('user_id', 'digest', 'digest_due_at')) {
        const { user_id, digest, digest_due_at: at } = reader;
        const period = periodMs[digest];
        await mail.queue(trx, { kind: 'digest', userId: user_id, recipient: null, data: String(at - period) });
        // After a long pause, one digest with everything.
        await trx('notification_readers')
          .where({ user_id })
          .update({ digest_due_at: now + period });
      }
    });
}

/** Makes a digest when it is sent; null when nothing is unread, or the member doesn’t want it any more. */
export function digestComposer(context: DigestContext): (row: MailRow) => Promise<ComposedMail | null> {
  const { db, config, keys } = context;
  return async ({ user_id, data, created_at }) => {
    const userId = user_id!;
    const address = await confirmedAddress(db, userId);
    const wanted = await db('notification_readers').where({ user_id: userId }).whereNotNull('digest').first('user_id');
    if (address === null || wanted === undefined) return null;
    const unread = (await newestNotifications(context, userId)).filter(
      ({ read, at }) => !read && Date.parse(at) >= Number(data) && Date.parse(at) < created_at,
    );
    if (unread.length === 0) return null;
    const list = unread.map((notification) => ({
      text: notificationText(notification),
      url: config.publicUrl + (notificationPath(notification) ?? texts.path),
    }));
    const { url, headers } = unsubscribeLinks(config.publicUrl, 'unsubscribe', { subject: userId, keys });
    return { ...renderMail(address, digestMail(config, list, url)), headers };
  };
}

/**
 * Ends the digests of the member, or the invitations to the address, that a link was mailed to, as often as it is asked. Throws
 * NOT_FOUND.
 */
export async function unsubscribe(
  { db, clock, keys }: Pick<DigestContext, 'db' | 'clock' | 'keys'>,
  token: string,
): Promise<void> {
  const subject = unsubscribedSubject(token, keys);
  if (subject === undefined) throw errors.notFound();
  if (isAddressDigest(subject)) await stopInvitations(db, subject, clock.now());
  else await db('notification_readers').where({ user_id: subject }).update({ digest: null, digest_due_at: null });
}

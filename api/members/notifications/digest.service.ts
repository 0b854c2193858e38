import type { BodyOf } from '#api/endpoints.contract.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { digestMail, notificationPath, notificationText, notificationTexts as texts } from '#texts/notifications.ts';
import { cancelJobs, enqueue } from '#platform/jobs/jobs.service.ts';
import type { NewJob } from '#platform/jobs/jobs.service.ts';
import type { FailedJob, Job } from '#platform/jobs/runner.service.ts';
import { confirmedAddress } from '#api/members/accounts/email-changes.service.ts';
import type { Outbox, QueuedMail } from '#api/mail/outbox.service.ts';
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
    if (every === 'off') await stopDigest(trx, userId);
    else {
      await trx('notification_readers').where({ user_id: userId }).update({ digest: every });
      await enqueue(trx, [digestJob(userId, clock.now() + periodMs[every])]);
    }
  });
}

const digestJob = (userId: string, dueAt: number): NewJob => ({ kind: 'digest', key: userId, userId, dueAt });

/** Ends the digests of a locked reader. */
async function stopDigest(trx: Database, userId: string): Promise<void> {
  await trx('notification_readers').where({ user_id: userId }).update({ digest: null });
  await cancelJobs(trx, { kind: 'digest', key: userId });
}

/** The address that digests of a member go to; null without a confirmed one, or without mail. */
export async function digestAddress(
  { db, mail }: Pick<DigestContext, 'db' | 'mail'>,
  userId: string,
): Promise<string | null> {
  return mail.on ? confirmedAddress(db, userId) : null;
}

type QueueContext = Pick<DigestContext, 'db' | 'clock' | 'mail'>;

/** Queues the digest of a member that is due, and the next one. */
export async function queueDigest({ db, clock, mail }: QueueContext, job: Job): Promise<void> {
  const userId = job.userId!;
  await db.transaction(async (trx) => {
    const period = await lockPeriod(trx, userId);
    // It may have been turned off, or set anew, meanwhile.
    if (period === null || !(await job.finish(trx))) return;
    await mail.queue(trx, { kind: 'digest', userId, recipient: null, data: String(job.firstDueAt - period) });
    // After a long pause, one digest with everything.
    await enqueue(trx, [digestJob(userId, clock.now() + period)]);
  });
}

/** Has a digest that could not be queued tried again; the next one comes even if it is given up. */
export async function skipDigest({ db, clock }: QueueContext, job: FailedJob): Promise<void> {
  const userId = job.userId!;
  await db.transaction(async (trx) => {
    const period = await lockPeriod(trx, userId);
    if ((await job.retry(trx)) === 'given-up' && period !== null)
      await enqueue(trx, [digestJob(userId, clock.now() + period)]);
  });
}

/** Milliseconds between two digests of a member, whose settings are locked; null for one who wants none. */
async function lockPeriod(trx: Database, userId: string): Promise<number | null> {
  await lockReader(trx, userId);
  const reader = await trx('notification_readers').where({ user_id: userId }).first('digest');
  return reader?.digest ? periodMs[reader.digest] : null;
}

/** Makes a digest when it is sent; null when nothing is unread, or the member doesn’t want it any more. */
export function digestComposer(context: DigestContext): (mail: QueuedMail) => Promise<ComposedMail | null> {
  const { db, config, keys } = context;
  return async ({ userId: member, data, queuedAt }) => {
    const userId = member!;
    const address = await confirmedAddress(db, userId);
    const wanted = await db('notification_readers').where({ user_id: userId }).whereNotNull('digest').first('user_id');
    if (address === null || wanted === undefined) return null;
    const unread = (await newestNotifications(context, userId)).filter(
      ({ read, at }) => !read && Date.parse(at) >= Number(data) && Date.parse(at) < queuedAt,
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
  else
    await db.transaction(async (trx) => {
      if ((await lockReader(trx, subject)) !== null) await stopDigest(trx, subject);
    });
}

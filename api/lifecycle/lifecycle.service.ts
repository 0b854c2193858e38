import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { sweepIdempotencyKeys } from '#platform/idempotency.ts';
import type { Logger } from '#platform/logger.ts';
import { sweepAccounts } from '#api/accounts/session-store.service.ts';
import { removeOldEmailInvites } from '#api/community-polls/email-invites.service.ts';
import { removeOldInvitations } from '#api/operators/operators.service.ts';
import { sweepImages } from '#api/content/images.service.ts';
import { nextPublication, publishDue } from '#api/content/publication.service.ts';
import { liftEnded } from '#api/moderation/actions.service.ts';
import { sweepVoteCodes } from '#api/integrity/vote-codes.service.ts';
import { sweepDecisions } from '#api/moderation/decisions.service.ts';
import { sweepOrigins } from '#api/origins/origins.service.ts';
import { sweepNotifications } from '#api/notifications/notifications.service.ts';
import { sweepInsights } from '#api/insights/insights.service.ts';
import { forgetSpellings, learnSpellings } from '#api/search/spelling.service.ts';
import { rankPolls } from '#api/community-polls/ranking.service.ts';
import { closeDueBallots, closedAtOnce } from '#api/voting/ballots.service.ts';
import { sweepDeliveries } from '#api/webhooks/sender.service.ts';
import { openDue } from './opening.service.ts';

/** Longest wait between two checks of the database, in milliseconds: another process may have imported polls. */
const maxWaitMs = 15_000;

/** Milliseconds between removals of expired rows. */
const sweepIntervalMs = 60 * 60_000;

/** Milliseconds by which the order of lists by votes and trend may lag behind the votes. */
const rankIntervalMs = 60_000;

interface LifecycleOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Closes every ballot whose end has passed, with its end time as closed_at, and with all that follows, in one transaction per
 * batch. Several processes may do it at once; each ballot closes once. Returns
 * the ids that this call closed.
 */
export async function closeDue({ db, clock }: Pick<LifecycleOptions, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.now();
  const ids: string[] = [];
  for (;;) {
    const closed = await db.transaction((trx) => closeDueBallots(trx, now));
    ids.push(...closed);
    if (closed.length < closedAtOnce) return ids;
  }
}

/**
 * Returns the task that opens and closes polls, publishes scheduled texts, learns words for search, and removes expired rows. Each run does what has
 * become due since the previous one; the first also does what became due while no service was running.
 */
export function lifecycleTask(options: LifecycleOptions): () => Promise<void> {
  const { db, clock, log } = options;
  let checkedAt: number | undefined;
  let sweptAt = -Infinity;
  let rankedAt = -Infinity;
  return async () => {
    const now = clock.now();
    const closed = await closeDue(options);
    if (closed.length > 0) log.info({ polls: closed }, 'closed polls that have ended');
    await liftEnded(options);
    await publishDue(options);
    await openDue(db, now, checkedAt ?? null);
    checkedAt = now;
    if (Math.abs(now - sweptAt) >= sweepIntervalMs) {
      await sweepAccounts(db, now);
      await removeOldInvitations(db, now);
      await removeOldEmailInvites(db, now);
      await sweepIdempotencyKeys(db, now);
      await sweepNotifications(db, now);
      await sweepOrigins(db, now);
      await sweepDecisions(db, now);
      await sweepVoteCodes(db, now);
      await sweepImages(db, now);
      await sweepDeliveries(db, now);
      await sweepInsights(db, now);
      sweptAt = now;
      await forgetSpellings(db);
    }
    if (Math.abs(now - rankedAt) >= rankIntervalMs) {
      await rankPolls(options);
      rankedAt = now;
    }
    // Nothing waits for words that only correct searches, and a publish of what has closed must not wait for these writes.
    if (closed.length === 0) await learnSpellings(db);
  };
}

/**
 * Opens and closes polls at their times until stopped, and removes expired rows. What became due while no service was
 * running is done before this resolves.
 */
export async function startLifecycle(options: LifecycleOptions): Promise<{ stop(): void }> {
  const { db, clock, log } = options;
  const task = lifecycleTask(options);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const wait = async () => {
    const next = await nextTransition(db, clock.now()).catch(() => null);
    if (stopped) return;
    const pause = next === null ? maxWaitMs : Math.min(maxWaitMs, Math.max(0, next - clock.now()));
    timer = setTimeout(() => {
      task()
        .catch((error: unknown) => log.error({ err: error }, 'could not close polls that have ended; retrying'))
        // Prevents a busy loop while the database keeps failing.
        .finally(() => setTimeout(() => void wait(), 50).unref());
    }, pause);
    timer.unref();
  };

  await task();
  await wait();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The next time at which a poll opens, a ballot closes, or a text is published, or null. Opening a community poll needs no work. */
export async function nextTransition(db: Database, now: number): Promise<number | null> {
  const ends = await db('ballots').whereNull('closed_at').min('ends_at as moment').first<Moment>();
  const starts = await db('ballots')
    .where({ kind: 'poll' })
    .whereNull('closed_at')
    .where('starts_at', '>', now)
    .min('starts_at as moment')
    .first<Moment>();
  const moments = [ends.moment, starts.moment, await nextPublication(db)].filter((moment) => moment !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

interface Moment {
  moment: number | null;
}

import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { nextPublication, publishDue } from '#api/content/publication.service.ts';
import { liftEnded } from '#api/moderation/actions.service.ts';
import { closeDueBallots, closedAtOnce } from '#api/voting/ballots.service.ts';
import { openDue } from './opening.service.ts';

/** Milliseconds between two runs at least. */
const leastWaitMs = 50;

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
 * Returns the task that opens and closes polls, ends suspensions, and publishes scheduled texts. Each run does what has become
 * due since the previous one, and the first also what became due before; it returns the milliseconds until the next is due.
 */
export function lifecycleTask({ db, clock, log }: LifecycleOptions): () => Promise<number> {
  let checkedAt: number | null = null;
  return async () => {
    const now = clock.now();
    const closed = await closeDue({ db, clock });
    if (closed.length > 0) log.info({ polls: closed }, 'closed polls that have ended');
    await liftEnded({ db, clock });
    await publishDue({ db, clock, log });
    await openDue(db, now, checkedAt);
    checkedAt = now;
    const next = (await nextTransition(db, clock.now())) ?? Infinity;
    return Math.max(leastWaitMs, next - clock.now());
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

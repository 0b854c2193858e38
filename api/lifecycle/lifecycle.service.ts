import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { sweepIdempotencyKeys } from '#platform/idempotency.ts';
import type { Logger } from '#platform/logger.ts';
import { sweepAccounts } from '#api/accounts/sweep.service.ts';
import { countIntoArchive } from '#api/polls/archive.service.ts';
import { newestBuildStart, requestBuild } from '#api/publishing/publishing.service.ts';
import { closeDueBallots, nextTurn, startedSince } from './lifecycle.queries.ts';

/** Longest wait between two looks at the database, in milliseconds: another process may have imported polls. */
const longestWait = 15_000;

/** Milliseconds between two removals of what has expired. */
const sweepEvery = 60 * 60_000;

interface LifecycleOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Closes every ballot whose end has come: closed_at is its end time, the archive's counters follow, and a site
 * build is requested where pages show it, all in one transaction for each portion of them. Several processes may do it at
 * once; each ballot closes once. Answers the ids that this call closed.
 */
export async function closeDue({ db, clock }: Pick<LifecycleOptions, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.now();
  const ids: string[] = [];
  for (;;) {
    const closed = await closePortion({ db, clock }, now);
    ids.push(...closed);
    if (closed.length < serverLimits.closedAtOnce) return ids;
  }
}

async function closePortion({ db, clock }: Pick<LifecycleOptions, 'db' | 'clock'>, now: number): Promise<string[]> {
  return db.transaction(async (trx) => {
    const closed = await closeDueBallots(trx, now);
    const polls = closed.filter(({ kind }) => kind === 'poll');
    await countIntoArchive(
      trx,
      polls.map(({ category }) => category),
    );
    if (polls.length > 0)
      await requestBuild(trx, clock, polls.length === 1 ? 'a poll closed' : `${polls.length} polls closed`);
    // Members close polls at any second of the day, and their list shows it without a build (decision 064).
    else if (closed.some(({ listed }) => listed))
      await requestBuild(trx, clock, 'a community poll closed', serverLimits.publishListMs);
    return closed.map(({ id }) => id);
  });
}

/**
 * Asks for a build when polls have opened since `lookedAt` that no build has seen begun: several at the same moment, or
 * seen by several processes, are one build. A build that failed is not asked for again.
 */
export async function publishStarted(
  { db, clock }: Pick<LifecycleOptions, 'db' | 'clock'>,
  lookedAt: number,
): Promise<void> {
  const now = clock.now();
  const began = await newestBuildStart(db);
  // A build from before the clock was put back has not seen what opens from now on.
  const seen = began !== null && began <= now ? began : 0;
  const started = await startedSince(db, Math.max(lookedAt, seen), now);
  if (started > 0) await requestBuild(db, clock, started === 1 ? 'a poll opened' : `${started} polls opened`);
}

/**
 * What falls due: polls open and close, and expired sessions are removed. Each call of the answer does what has come up
 * since the one before, the first one also what did while nobody ran.
 */
export function lifecycleTurns(options: LifecycleOptions): () => Promise<void> {
  const { db, clock, log } = options;
  let lookedAt: number | undefined;
  let sweptAt = -Infinity;
  return async () => {
    const now = clock.now();
    const closed = await closeDue(options);
    if (closed.length > 0) log.info({ polls: closed }, 'closed polls that have ended');
    // What opened while nobody ran is on no page if the last build began before it.
    await publishStarted(options, lookedAt ?? (await newestBuildStart(db)) ?? now);
    lookedAt = now;
    if (Math.abs(now - sweptAt) >= sweepEvery) {
      await sweepAccounts(db, now);
      await sweepIdempotencyKeys(db, now);
      sweptAt = now;
    }
  };
}

/**
 * Keeps polls opening and closing at their times until stopped, and removes expired sessions. What fell due while nobody ran is done before
 * this resolves.
 */
export async function startLifecycle(options: LifecycleOptions): Promise<{ stop(): void }> {
  const { db, clock, log } = options;
  const turn = lifecycleTurns(options);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const wait = async () => {
    const next = await nextTurn(db, clock.now()).catch(() => null);
    if (stopped) return;
    const pause = next === null ? longestWait : Math.min(longestWait, Math.max(0, next - clock.now()));
    timer = setTimeout(() => {
      turn()
        .catch((error: unknown) => log.error({ err: error }, 'could not close polls that have ended; retrying'))
        // Never a hot loop, even when the database keeps failing.
        .finally(() => setTimeout(() => void wait(), 50).unref());
    }, pause);
    timer.unref();
  };

  await turn();
  await wait();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

import { serverLimits } from '#contract/server-limits.ts';
import { voteBurst } from '#domain/vote-burst.ts';
import type { VoteBurst } from '#domain/vote-burst.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { recentVotes } from './recent-votes.queries.ts';

/** A ballot whose votes came in a burst. */
export interface BurstBallot extends VoteBurst {
  readonly id: string;
  readonly kind: string;
}

/**
 * The ballots with the largest bursts of the last day, largest first, and since when votes were looked at. Counted when
 * asked: nothing is kept beside the votes (handbook decision 121).
 */
export async function voteBursts(context: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<{ from: number; bursts: BurstBallot[] }> {
  const { hours, most, listed, ...rule } = serverLimits.burst;
  const now = context.clock.now();
  const since = now - hours * 3_600_000;
  const { from, ballots } = await recentVotes(context.db, { since, most, atLeast: rule.votes });
  const to = minuteOf(now);
  const bursts = ballots.flatMap(({ id, kind, startsAt, minutes }) => {
    const burst = voteBurst(minutes, { from: minuteOf(Math.max(from, startsAt)), to }, rule);
    return burst ? [{ id, kind, ...burst }] : [];
  });
  return { from, bursts: bursts.sort((a, b) => b.votes - a.votes).slice(0, listed) };
}

const minuteOf = (moment: number) => Math.floor(moment / 60_000);

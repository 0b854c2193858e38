import { voteBurst } from '#domain/vote-burst.ts';
import type { VoteBurst, VotesByMinute } from '#domain/vote-burst.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { newestVoteId } from './voting.service.ts';

/**
 * What the operator is shown as a burst: `votes` on one poll in `minutes`, and `times` the usual. Bursts are looked for in
 * the last `hours`, and in no more than the newest `most` votes.
 */
export const burstRule = { minutes: 5, votes: 100, times: 10, hours: 24, most: 50_000, listed: 20 } as const;

/** A ballot whose votes came in a burst. */
interface BurstBallot extends VoteBurst {
  readonly id: string;
  readonly kind: string;
}

/**
 * The ballots with the largest bursts of the last day, largest first, and the start of the period that was checked. Computed
 * on request; nothing is stored (handbook decision 121).
 */
export async function voteBursts(context: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<{ from: number; bursts: BurstBallot[] }> {
  const { hours, most, listed, ...rule } = burstRule;
  const now = context.clock.now();
  // Votes are stored with their minute.
  const since = minuteOf(now) * 60_000 - hours * 3_600_000;
  const { from, ballots } = await recentVotes(context.db, { since, most, atLeast: rule.votes });
  const to = minuteOf(now);
  const bursts = ballots.flatMap(({ id, kind, startsAt, minutes }) => {
    const burst = voteBurst(minutes, { from: minuteOf(Math.max(from, startsAt)), to }, rule);
    return burst ? [{ id, kind, ...burst }] : [];
  });
  return { from, bursts: bursts.sort((a, b) => b.votes - a.votes).slice(0, listed) };
}

const minuteOf = (moment: number) => Math.floor(moment / 60_000);

interface MinuteRow {
  readonly ballot_key: number;
  readonly minute: number;
  readonly votes: number;
  readonly first_at: number;
}

/** A ballot with the votes of its recent minutes. */
interface RecentVotes {
  readonly id: string;
  readonly kind: string;
  readonly startsAt: number;
  readonly minutes: VotesByMinute;
}

/**
 * Votes since a moment, counted by ballot and minute, of ballots with at least `atLeast` of them. Reads no more than about
 * the newest `most` votes, by their ids: an index on their time would cost every vote. `from` is the moment since which all
 * are counted.
 */
async function recentVotes(
  db: Database,
  { since, most, atLeast }: { readonly since: number; readonly most: number; readonly atLeast: number },
): Promise<{ from: number; ballots: RecentVotes[] }> {
  const after = (await newestVoteId(db)) - most;
  const rows = await db('votes')
    .where('id', '>', after)
    .select<MinuteRow[]>(
      'ballot_key',
      db.raw('created_at / 60000 as minute'),
      db.raw('sum(case when created_at >= ? then 1 else 0 end) as votes', [since]),
      db.raw('min(created_at) as first_at'),
    )
    .groupByRaw('ballot_key, created_at / 60000');
  // With more votes than that, the time before the first of these is unknown.
  const first = rows.reduce((earliest, row) => Math.min(earliest, row.first_at), Infinity);
  const from = after <= 0 ? since : Math.max(since, first);

  const byBallot = new Map<number, Map<number, number>>();
  for (const { ballot_key: key, minute, votes } of rows)
    if (votes > 0) byBallot.set(key, (byBallot.get(key) ?? new Map<number, number>()).set(minute, votes));
  const busy = [...byBallot].filter(([, minutes]) => [...minutes.values()].reduce((a, b) => a + b, 0) >= atLeast);
  const ballots = await db('ballots')
    .whereIn(
      'key',
      busy.map(([key]) => key),
    )
    .select<{ key: number; id: string; kind: string; starts_at: number }[]>('key', 'id', 'kind', 'starts_at');
  return {
    from,
    ballots: ballots.map(({ key, id, kind, starts_at: startsAt }) => ({
      id,
      kind,
      startsAt,
      minutes: byBallot.get(key)!,
    })),
  };
}

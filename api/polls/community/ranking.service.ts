import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';

/** Polls that are compared with their ballots at once: SQLite’s other work waits meanwhile. */
const rankedAtOnce = 1_000;
/** Trends are in millionths of a day. */
const dayParts = 1_000_000;
const partMs = 86_400_000 / dayParts;

/**
 * Brings the votes and trends that lists sort by up to date for open public polls, and for those that closed since. Returns
 * how many changed. Several processes may do it at once: a poll that another has updated is left alone.
 */
export async function rankPolls({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<number> {
  const today = clock.now() / partMs;
  let changed = 0;
  for (let after = ''; ;) {
    const ids = await db('community_polls')
      .where({ visibility: 'public' })
      .where('id', '>', after)
      .orderBy('id')
      .limit(rankedAtOnce)
      .pluck('id');
    const last = ids.at(-1);
    if (last === undefined) return changed;
    const moved = await db('community_polls as p')
      .join('ballots as b', 'b.id', 'p.id')
      .whereRaw('p.id > ? and p.id <= ?', [after, last])
      .whereRaw("p.visibility = 'public' and b.total_votes <> p.ranked_votes")
      .select<MovedPoll[]>('p.id', 'p.trend', 'p.ranked_votes', 'b.total_votes');
    for (const { id, trend, ranked_votes, total_votes } of moved)
      changed += await db('community_polls')
        .where({ id, ranked_votes })
        .update({ ranked_votes: total_votes, trend: trendAfter(trend, total_votes - ranked_votes, today) });
    if (ids.length < rankedAtOnce) return changed;
    after = last;
  }
}

interface MovedPoll {
  readonly id: string;
  readonly trend: number;
  readonly ranked_votes: number;
  readonly total_votes: number;
}

/**
 * The trend of a poll that gained votes at a moment, in millionths of days since 1970: the logarithm to base 2 of a sum in which each vote
 * counts twice as much as one a day earlier. Votes set aside don’t lower it.
 */
export function trendAfter(trend: number, gained: number, today: number): number {
  return gained <= 0 ? trend : Math.round(today + dayParts * Math.log2(gained + 2 ** ((trend - today) / dayParts)));
}

import type { Database } from '#platform/database.ts';
import type { VotesByMinute } from '#domain/vote-burst.ts';

interface MinuteRow {
  readonly ballot_id: string;
  readonly minute: number;
  readonly votes: number;
}

/** A ballot with the votes of its recent minutes. */
export interface RecentVotes {
  readonly id: string;
  readonly kind: string;
  readonly startsAt: number;
  readonly minutes: VotesByMinute;
}

/** The id of the newest vote, 0 without any: an index tells it at once. */
export async function newestVoteId(db: Database): Promise<number> {
  const [newest] = await db('votes').max<{ id: number | null }[]>('id as id');
  return newest?.id ?? 0;
}

/**
 * Votes since a moment, counted by ballot and minute, of ballots with at least `atLeast` of them. Looks at no more than
 * about the newest `most` votes, by their primary key: an index on their time would cost every vote. `from` is the
 * moment since which all are counted.
 */
export async function recentVotes(
  db: Database,
  { since, most, atLeast }: { readonly since: number; readonly most: number; readonly atLeast: number },
): Promise<{ from: number; ballots: RecentVotes[] }> {
  const after = (await newestVoteId(db)) - most;
  const rows = await db('votes')
    .where('id', '>', after)
    .where('created_at', '>=', since)
    .select<MinuteRow[]>('ballot_id', db.raw('created_at / 60000 as minute'), db.raw('count(*) as votes'))
    .groupByRaw('ballot_id, created_at / 60000');
  // Where there are more votes than that, the time before the first of these is unknown.
  const [before] = await db('votes')
    .where('id', '<=', after)
    .orderBy('id', 'desc')
    .limit(1)
    .select<{ created_at: number }[]>('created_at');
  const from = Math.max(since, before?.created_at ?? since);

  const byBallot = new Map<string, Map<number, number>>();
  for (const { ballot_id: id, minute, votes } of rows)
    byBallot.set(id, (byBallot.get(id) ?? new Map<number, number>()).set(minute, votes));
  const busy = [...byBallot].filter(([, minutes]) => [...minutes.values()].reduce((a, b) => a + b, 0) >= atLeast);
  const ballots = await db('ballots')
    .whereIn(
      'id',
      busy.map(([id]) => id),
    )
    .select<{ id: string; kind: string; starts_at: number }[]>('id', 'kind', 'starts_at');
  return {
    from,
    ballots: ballots.map(({ id, kind, starts_at: startsAt }) => ({ id, kind, startsAt, minutes: byBallot.get(id)! })),
  };
}

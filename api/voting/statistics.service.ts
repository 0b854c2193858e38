import type { Statistics } from '#api/polls/polls.contract.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** Contribution of ballots to the headline figures. */
export type Totals = Readonly<Record<'total_votes' | 'set_aside_votes' | 'imported_votes' | 'total_polls', number>>;

/** Adds to the headline figures. Call it last in a transaction, because every vote updates these rows. */
export async function addTotals(
  trx: Database,
  change: Partial<Totals & Readonly<Record<'total_participants', number>>>,
): Promise<void> {
  if (Object.values(change).some((by) => by !== 0)) await trx('statistics').where({ shard: 0 }).increment(change);
}

/** Adds the difference between two contributions to the headline figures. */
export async function moveTotals(trx: Database, before: Totals, after: Totals): Promise<void> {
  await addTotals(trx, {
    total_votes: after.total_votes - before.total_votes,
    set_aside_votes: after.set_aside_votes - before.set_aside_votes,
    imported_votes: after.imported_votes - before.imported_votes,
    total_polls: after.total_polls - before.total_polls,
  });
}

/** Locks the headline figures until the transaction ends. */
export async function lockTotals(trx: Database): Promise<void> {
  if (!isSqlite(trx)) await trx('statistics').where({ shard: 0 }).forUpdate().first();
}

/** SQL that adds recorded votes and new participants, both SQL expressions, to one process's row. */
export const addVotesSql = (votes: string, participants: string, shard: number | string): string =>
  `update statistics set
      total_votes = statistics.total_votes + (${votes}),
      total_participants = statistics.total_participants + (${participants})
    where shard = ${shard}`;

/** SQL that updates one process's row without changing it; every batch of votes writes this row. */
export const unchangedTotalsSql = (shard: number): string =>
  `update statistics set total_votes = total_votes where shard = ${shard}`;

/** Scheduled polls, which must not be revealed; the condition matches the index of open ballots. */
const upcoming = (now: string) => `from ballots
  where kind = 'poll' and closed_at is null and starts_at > ${now} and listed and in_totals`;

/**
 * SQL of the headline figures, one expression each: the sum of a few counter rows, independent of the number of votes,
 * without the polls that have not started at `now`, an SQL expression.
 */
export const figuresSql = (now: string) =>
  [
    ['totalVotes', `sum(total_votes) - (select coalesce(sum(total_votes), 0) ${upcoming(now)})`],
    ['importedVotes', `sum(imported_votes) - (select coalesce(sum(base_votes), 0) ${upcoming(now)})`],
    ['totalParticipants', 'sum(total_participants)'],
    ['totalPolls', `sum(total_polls) - (select count(*) ${upcoming(now)})`],
  ] as const satisfies [name: keyof Statistics, sql: string][];

/** The headline figures. */
export async function statisticsNow(db: Database, now: number): Promise<Statistics> {
  const sums = await db('statistics')
    .select(figuresSql(':now').map(([name, sql]) => db.raw(`${sql} as "${name}"`, { now })))
    .first<Record<keyof Statistics, number | string>>();
  // PostgreSQL sums 64-bit integers as a decimal, which arrives as text.
  return {
    totalVotes: Number(sums.totalVotes),
    importedVotes: Number(sums.importedVotes),
    totalParticipants: Number(sums.totalParticipants),
    totalPolls: Number(sums.totalPolls),
  };
}

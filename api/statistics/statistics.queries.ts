import type { Statistics } from '#contract/statistics.ts';
import type { Database } from '#platform/database.ts';

/** Polls that nobody may know of yet, in the words of the index of open ballots. */
const upcoming = `from ballots
  where kind = 'poll' and closed_at is null and starts_at > :now and listed and in_totals`;

/**
 * The headline figures: the sum of a handful of counter rows, whatever the number of votes, without the polls that have
 * not started at the moment `now`.
 */
export async function headlineFigures(db: Database, now: number): Promise<Statistics> {
  const sums = await db('statistics')
    .select(
      db.raw(`sum(total_votes) - (select coalesce(sum(total_votes), 0) ${upcoming}) as "totalVotes"`, { now }),
      db.raw(`sum(imported_votes) - (select coalesce(sum(base_votes), 0) ${upcoming}) as "importedVotes"`, { now }),
      db.raw('sum(total_participants) as "totalParticipants"'),
      db.raw(`sum(total_polls) - (select count(*) ${upcoming}) as "totalPolls"`, { now }),
    )
    .first<Record<keyof Statistics, number | string>>();
  // PostgreSQL adds 64-bit integers up to a decimal, which arrives as text.
  return {
    totalVotes: Number(sums.totalVotes),
    importedVotes: Number(sums.importedVotes),
    totalParticipants: Number(sums.totalParticipants),
    totalPolls: Number(sums.totalPolls),
  };
}

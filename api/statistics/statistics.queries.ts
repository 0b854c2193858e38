import type { Statistics } from '#contract/statistics.ts';
import type { Database } from '#platform/database.ts';

/** The headline figures: the sum of a handful of counter rows, whatever the number of votes. */
export async function headlineFigures(db: Database): Promise<Statistics> {
  const sums = await db('statistics')
    .sum({
      totalVotes: 'total_votes',
      importedVotes: 'imported_votes',
      totalParticipants: 'total_participants',
      totalPolls: 'total_polls',
    })
    .first<Record<keyof Statistics, number | string>>();
  // PostgreSQL adds 64-bit integers up to a decimal, which arrives as text.
  return {
    totalVotes: Number(sums.totalVotes),
    importedVotes: Number(sums.importedVotes),
    totalParticipants: Number(sums.totalParticipants),
    totalPolls: Number(sums.totalPolls),
  };
}

import { openDatabase } from '#platform/database.ts';

/**
 * Puts a closed poll into a state that no page can render, like a manual change of the database; returns a function
 * that repairs it.
 */
export async function damageReport(databaseUrl: string): Promise<() => Promise<void>> {
  const db = openDatabase(databaseUrl);
  const [poll] = await db('polls')
    .whereIn('id', db('ballots').where({ kind: 'poll' }).whereNotNull('closed_at').select('id'))
    .orderBy('id')
    .limit(1)
    .select('id', 'country_breakdown');
  if (!poll) throw new Error('There is no closed poll that could be damaged.');
  const { id, country_breakdown } = poll;
  await db('polls')
    .where({ id })
    .update({ country_breakdown: JSON.stringify([{ name: 'France', percentage: 120 }]) });
  return async () => {
    await db('polls').where({ id }).update({ country_breakdown });
    await db.destroy();
  };
}

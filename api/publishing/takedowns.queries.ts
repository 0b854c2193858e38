import type { Database } from '#platform/database.ts';

/** Rows that are written, read, or removed in one statement. */
const atOnce = 500;

/** Notes that releases must not show these polls any more. */
export async function insertTakedowns(trx: Database, ids: readonly string[], now: number): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await trx('takedowns')
      .insert(ids.slice(from, from + atOnce).map((id) => ({ poll_id: id, requested_at: now })))
      .onConflict('poll_id')
      .ignore();
}

/** Whether some release may still show a removed poll. */
export async function hasTakedowns(db: Database): Promise<boolean> {
  return (await db('takedowns').orderBy('poll_id').first('poll_id')) !== undefined;
}

/** Ids of removed polls that releases may still show. */
export async function takedownIds(db: Database): Promise<string[]> {
  return db('takedowns').pluck('poll_id');
}

/** Forgets polls that no release shows any more. */
export async function deleteTakedowns(db: Database, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await db('takedowns')
      .whereIn('poll_id', ids.slice(from, from + atOnce))
      .del();
}

/** Which of these polls the database does not have. */
export async function missingPolls(db: Database, ids: readonly string[]): Promise<string[]> {
  const missing = new Set(ids);
  for (let from = 0; from < ids.length; from += atOnce) {
    const batch = ids.slice(from, from + atOnce);
    for (const id of await db('ballots').whereIn('id', batch).pluck<string[]>('id')) missing.delete(id);
  }
  return [...missing];
}

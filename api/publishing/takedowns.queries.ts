import type { Database } from '#platform/database.ts';

/** Rows per statement. */
const atOnce = 500;

/** Whether any release may still show a deleted poll. */
export async function hasTakedowns(db: Database): Promise<boolean> {
  return (await db('takedowns').orderBy('poll_id').first('poll_id')) !== undefined;
}

/** The ids of deleted polls that releases may still show. */
export async function takedownIds(db: Database): Promise<string[]> {
  return db('takedowns').pluck('poll_id');
}

/** Deletes the takedowns of polls that no release shows anymore. */
export async function deleteTakedowns(db: Database, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce)
    await db('takedowns')
      .whereIn('poll_id', ids.slice(from, from + atOnce))
      .del();
}

/** The polls among these that are not in the database. */
export async function missingPolls(db: Database, ids: readonly string[]): Promise<string[]> {
  const missing = new Set(ids);
  for (let from = 0; from < ids.length; from += atOnce) {
    const batch = ids.slice(from, from + atOnce);
    for (const id of await db('ballots').whereIn('id', batch).pluck<string[]>('id')) missing.delete(id);
  }
  return [...missing];
}

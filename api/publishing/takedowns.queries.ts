import { idList, selectRows } from '#platform/bulk-rows.ts';
import type { Database } from '#platform/database.ts';

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
  await db.raw(`delete from takedowns where poll_id in ${idList(db)}`, [JSON.stringify(ids)]);
}

/** The polls among these that are not in the database. */
export async function missingPolls(db: Database, ids: readonly string[]): Promise<string[]> {
  const found = await selectRows<{ id: string }>(db, `select id from ballots where id in ${idList(db)}`, ids);
  const present = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !present.has(id));
}

import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

const fields = ['kind', 'key', 'event', 'cursor'] as const;

const field = (db: Database, name: string) =>
  isSqlite(db) ? `json_extract(payload, '$.${name}')` : `payload::json->>'${name}'`;

/** What waits to be published, a row for each change; `queue` is the kind of its job. */
export const waitingPages = (db: Database) =>
  db.from(
    db('jobs')
      .where('kind', 'like', 'publish-%')
      .select(
        ...['id', 'attempts', 'kind as queue'],
        ...fields.map((name) => db.raw(`${field(db, name)} as "${name}"`)),
        db.raw(`cast(${field(db, 'at')} as bigint) as at`),
      )
      .as('waiting'),
  );

/** Forgets what waits to be published. */
export async function forgetPages(db: Database): Promise<void> {
  await db('jobs').where('kind', 'like', 'publish-%').del();
}

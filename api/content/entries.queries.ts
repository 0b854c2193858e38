import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';

/** A row of `content_entries`. Times in milliseconds; texts are files: front matter and Markdown. */
export type EntryRow = Row<'content_entries'>;

/** A row of `content_versions`. */
export type VersionRow = Row<'content_versions'>;

export type EntryKey = Pick<EntryRow, 'folder' | 'name'>;

/** All entries, the last saved first. */
export async function entryRows(db: Database): Promise<EntryRow[]> {
  return db('content_entries')
    .orderBy([
      { column: 'updated_at', order: 'desc' },
      { column: 'name', order: 'asc' },
    ])
    .select('*');
}

/** The entries with these names in any folder, without deleted ones. */
export async function shownRows(db: Database, names: readonly string[]): Promise<EntryRow[]> {
  return db('content_entries')
    .whereIn('name', [...names])
    .whereNull('deleted_at')
    .select('*');
}

/** The entry at a place, deleted or not. */
export async function entryRow(db: Database, { folder, name }: EntryKey): Promise<EntryRow | undefined> {
  return db('content_entries').where({ folder, name }).first('*');
}

/** The entry at a place, which nobody else changes before the transaction ends. */
export async function lockEntry(trx: Database, key: EntryKey): Promise<EntryRow | undefined> {
  return trx('content_entries').where({ folder: key.folder, name: key.name }).forUpdate().first();
}

/** Lets nobody else write entries before the transaction ends. */
export async function lockAllEntries(trx: Database): Promise<void> {
  if (!isSqlite(trx)) await trx.raw('lock table content_entries in share row exclusive mode');
}

/** Changes columns of an entry and returns it as it is then. */
export async function updateEntry(trx: Database, row: EntryRow, changes: Partial<EntryRow>): Promise<EntryRow> {
  await trx('content_entries').where({ id: row.id }).update(changes);
  return { ...row, ...changes };
}

/** Adds an entry; rejects with a unique violation if there is one at its place. */
export async function insertEntry(
  trx: Database,
  row: EntryKey & Pick<EntryRow, 'source' | 'created_at' | 'updated_at' | 'updated_by'> & Partial<EntryRow>,
): Promise<EntryRow> {
  const [added] = await trx('content_entries')
    .insert({ version: 1, ...row })
    .returning('*');
  return added!;
}

/** Adds the entry’s source to its history. */
export async function insertVersion(
  trx: Database,
  { id, version, source }: EntryRow,
  made: Pick<VersionRow, 'event' | 'actor' | 'created_at'>,
): Promise<void> {
  await trx('content_versions').insert({ entry_id: id, version, source, ...made });
}

/** One version of an entry. */
export async function versionRow(db: Database, entryId: number, version: number): Promise<VersionRow | undefined> {
  return db('content_versions').where({ entry_id: entryId, version }).first('*');
}

/** Whether a version of an entry has this text. */
export async function hasVersion(db: Database, entryId: number, source: string): Promise<boolean> {
  return (await db('content_versions').where({ entry_id: entryId, source }).first('id')) !== undefined;
}

/** The newest versions of an entry without their texts, newest first. */
export async function versionRows(db: Database, entryId: number, limit: number) {
  return db('content_versions')
    .where({ entry_id: entryId })
    .orderBy('version', 'desc')
    .limit(limit)
    .select('id', 'version', 'event', 'actor', 'created_at', 'published_at');
}

/** Replaces the text of the newest version by the entry’s source. */
export async function replaceVersion(trx: Database, id: number, { version, source }: EntryRow): Promise<void> {
  await trx('content_versions').where({ id }).update({ version, source });
}

/** Marks the version with the entry’s published text. */
export async function markPublished(trx: Database, { id, version }: EntryRow, at: number): Promise<void> {
  await trx('content_versions').where({ entry_id: id, version }).whereNull('published_at').update({ published_at: at });
}

/** How many versions each of these entries has. */
export async function versionCounts(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db('content_versions')
    .whereIn('entry_id', [...ids])
    .groupBy('entry_id')
    .select<{ entry_id: number; count: number | string }[]>('entry_id', db.raw('count(*) as count'));
  return new Map(rows.map(({ entry_id, count }) => [entry_id, Number(count)]));
}

/** Deletes an entry’s history. */
export async function deleteVersions(trx: Database, { id }: EntryRow): Promise<void> {
  await trx('content_versions').where({ entry_id: id }).del();
}

/** Deletes an entry with its history. */
export async function deleteEntryRow(trx: Database, { id }: EntryRow): Promise<void> {
  await trx('content_entries').where({ id }).del();
}

/** Ids of entries that are due to be published. */
export async function dueEntries(db: Database, now: number): Promise<EntryKey[]> {
  return db('content_entries').where('publish_at', '<=', now).orderBy('publish_at').select('folder', 'name');
}

/** When the next entry is due to be published; null if none is. */
export async function nextPublication(db: Database): Promise<number | null> {
  const row = await db('content_entries').whereNotNull('publish_at').min('publish_at as moment').first<{
    moment: number | string | null;
  }>();
  return row.moment === null ? null : Number(row.moment);
}

/** The names of all articles, published or not. */
export async function articleNames(db: Database): Promise<string[]> {
  return db('content_entries').where({ folder: 'blog' }).pluck('name');
}

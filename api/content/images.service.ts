import { createHash } from 'node:crypto';
import { imagesIn } from '#api/content/blog/articles.service.ts';
import type { Database, Row } from '#platform/database.ts';

/** Milliseconds after which a picture that no version of a text shows is deleted. */
const unusedMs = 7 * 86_400_000;
/** Versions that are read at once to find unused pictures, and pictures that are deleted at once. */
const versionsAtOnce = 50;
const deletedAtOnce = 20;

/** The hash in the name of a picture. */
export const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64url');

/** Whether a file is the picture that its name says. */
export const isImage = (name: string, content: Buffer): boolean => name.startsWith(`${digest(content)}-`);

type ImageRow = Row<'content_images'>;

/** Stores a picture; false if it is stored already, and is kept from now on as if it were new. */
export async function insertImage(trx: Database, row: ImageRow): Promise<boolean> {
  const added = await trx('content_images').insert(row).onConflict('name').ignore().returning('name');
  if (added.length > 0) return true;
  await trx('content_images').where({ name: row.name }).update({ created_at: row.created_at });
  return false;
}

/** The WebP picture with this name; null if there is none. */
export async function imageWith(db: Database, name: string): Promise<Buffer | null> {
  const row = await db('content_images').where({ name }).first('content');
  return row?.content ?? null;
}

/** Those of these names that no stored picture has. */
export async function missingImages(db: Database, names: readonly string[]): Promise<string[]> {
  const found = await db('content_images')
    .whereIn('name', [...names])
    .pluck('name');
  return names.filter((name) => !found.includes(name));
}

/**
 * Deletes pictures that no version of a text shows, a week after they were uploaded. Reads the texts in batches outside
 * transactions, so that writes don’t wait.
 */
export async function sweepImages(db: Database, now: number): Promise<void> {
  const old = await db('content_images')
    .where('created_at', '<', now - unusedMs)
    .pluck('name');
  const unused = new Set(old);
  const keep = (text: string) => imagesIn(text).forEach((name) => unused.delete(name));
  for (let after: number | string = 0; unused.size > 0;) {
    const versions: { id: number | string; source: string }[] = await db('content_versions')
      .where('id', '>', after)
      .orderBy('id')
      .limit(versionsAtOnce)
      .select('id', 'source');
    if (versions.length === 0) break;
    for (const { id, source } of versions) {
      keep(source);
      after = id;
    }
  }
  const names = [...unused];
  for (let from = 0; from < names.length; from += deletedAtOnce)
    await db.transaction(async (trx) => {
      // What was saved since the versions were read, and files that wait for an answer.
      const recent = await trx('content_entries')
        .where('updated_at', '>=', now)
        .orWhereNotNull('newer_file')
        .select('source', 'newer_file');
      for (const { source, newer_file } of recent) keep(`${source}\n${newer_file ?? ''}`);
      const left = names.slice(from, from + deletedAtOnce).filter((name) => unused.has(name));
      await trx('content_images')
        .where('created_at', '<', now - unusedMs)
        .whereIn('name', left)
        .del();
    });
}

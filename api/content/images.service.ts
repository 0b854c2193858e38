import { createHash } from 'node:crypto';
import type { Database } from '#platform/database.ts';

/** Milliseconds after which a picture that no version of a text shows is deleted. */
const unusedMs = 7 * 86_400_000;

/** The hash in the name of a picture. */
export const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64url');

/** Whether a file is the picture that its name says. */
export const isImage = (name: string, content: Buffer): boolean => name.startsWith(`${digest(content)}-`);

interface ImageRow {
  readonly name: string;
  readonly content: Buffer;
  readonly created_at: number;
  readonly created_by: string;
}

/** Stores a picture; false if it is stored already. */
export async function insertImage(trx: Database, row: ImageRow): Promise<boolean> {
  const added = await trx('content_images').insert(row).onConflict('name').ignore().returning<unknown[]>('name');
  return added.length > 0;
}

/** The WebP picture with this name; null if there is none. */
export async function imageWith(db: Database, name: string): Promise<Buffer | null> {
  const row = await db('content_images').where({ name }).first<{ content: Buffer } | undefined>('content');
  return row?.content ?? null;
}

/** Those of these names that no stored picture has. */
export async function missingImages(db: Database, names: readonly string[]): Promise<string[]> {
  const found = await db('content_images')
    .whereIn('name', [...names])
    .pluck<string[]>('name');
  return names.filter((name) => !found.includes(name));
}

/** Deletes pictures that no version of a text shows, a week after they were uploaded. */
export async function sweepImages(db: Database, now: number): Promise<void> {
  await db('content_images')
    .where('created_at', '<', now - unusedMs)
    .whereNotExists(
      db('content_versions')
        .whereRaw("content_versions.source like '%' || content_images.name || '%'")
        .select(db.raw('1')),
    )
    .del();
}

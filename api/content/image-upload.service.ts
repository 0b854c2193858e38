import { encodeImage, readPicture } from '#api/members/accounts/pictures.service.ts';
import { record } from '#api/events/record.service.ts';
import { imageAddress } from '#domain/image-address.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { digest, insertImage } from './images.service.ts';

export { readPicture as readUpload };

/** Pixels of a stored picture at most: twice the width of a text, for fine screens. */
const imageWidth = 1_600;
const imageHeight = 3_200;

/**
 * Stores a picture for articles and pages, re-encoded without metadata, and returns its address. The same picture is stored
 * once. Throws what {@link encodeImage} throws.
 */
export async function addImage(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: string,
  file: Buffer,
): Promise<{ address: string }> {
  const fitting = { width: imageWidth, height: imageHeight, fit: 'inside', withoutEnlargement: true } as const;
  const { data: content, info } = await encodeImage(file, fitting);
  const name = `${digest(content)}-${info.width}x${info.height}`;
  await db.transaction(async (trx) => {
    const at = clock.now();
    if (!(await insertImage(trx, { name, content, created_at: at, created_by: actor }))) return;
    await record(trx, { at, actor, type: 'content.upload', subject: { kind: 'image', id: name } });
  });
  return { address: imageAddress(name) };
}

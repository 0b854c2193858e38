import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OutputInfo, ResizeOptions } from 'sharp';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#domain/path-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { pictureTexts as texts } from '#texts/pictures.ts';
import { UserModel } from './user.model.ts';

interface PicturesContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** Uploads that may wait while another is decoded: one alone can take 200 MB. */
const waitingMost = 10;
/** Seconds after which decoding is given up. */
const decodingSeconds = 10;
const webpQuality = 82;

/** First bytes of the formats that are decoded. Other decoders, such as that of SVG, see no upload. */
const signatures = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a'];

/** Reads an uploaded picture. Throws PAYLOAD_TOO_LARGE. */
export async function readPicture(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isTooLarge = () =>
    bytes > limits.pictureBytes || Number(request.headers['content-length']) > limits.pictureBytes;
  if (!isTooLarge())
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (isTooLarge()) break;
    }
  if (!isTooLarge()) return Buffer.concat(chunks);
  // The rest of the body is discarded: clients read no response while they send.
  request.resume();
  throw errors.fileTooLarge(texts.tooManyBytes);
}

/** Encodes a file as the square picture of a member; throws what {@link encodeImage} throws. */
export async function encodePicture(file: Buffer): Promise<Buffer> {
  const { data } = await encodeImage(file, { width: limits.pictureSide, height: limits.pictureSide, fit: 'cover' });
  return data;
}

/**
 * Encodes a JPEG, PNG, WebP, or GIF file as a WebP picture without metadata; of an animation, the first frame. Throws
 * UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_REQUEST (damaged), OVERLOADED.
 */
export async function encodeImage(
  file: Buffer,
  size: ResizeOptions,
): Promise<{ readonly data: Buffer; readonly info: OutputInfo }> {
  const head = file.toString('latin1', 0, 12);
  const isWebp = head.startsWith('RIFF') && head.endsWith('WEBP');
  if (!isWebp && !signatures.some((signature) => head.startsWith(signature))) throw errors.notAnUpload(texts.format);
  return inTurn(async () => {
    const { default: sharp } = await import('sharp');
    // Without its own limit, which refuses without saying why.
    const picture = sharp(file, { limitInputPixels: false, failOn: 'error', autoOrient: true });
    const { width, height } = await picture.metadata().catch(() => {
      throw errors.badRequest(texts.damaged);
    });
    if (width * height > limits.picturePixels) throw errors.fileTooLarge(texts.tooManyPixels);
    return picture
      .resize(size)
      .webp({ quality: webpQuality })
      .timeout({ seconds: decodingSeconds })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw errors.badRequest(texts.damaged);
      });
  });
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Does one task at a time in this process. Throws OVERLOADED. */
async function inTurn<T>(task: () => Promise<T>): Promise<T> {
  if (waiting > waitingMost) throw errors.overloaded();
  waiting += 1;
  const turn = last.then(task).finally(() => {
    waiting -= 1;
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** Stores an encoded picture in place of the member’s earlier one. */
export async function storePicture({ db, clock }: PicturesContext, userId: string, content: Buffer): Promise<void> {
  const hash = createHash('sha256').update(content).digest('base64url');
  await db.transaction(async (trx) => {
    // Locks the account, so that of two uploads at once, address and picture are from the same one.
    const changed = await UserModel.query(trx)
      .findById(userId)
      .patch({
        profile_image_url: pathOf('picture', { hash }),
        updated_at: clock.now(),
      });
    if (changed === 0) throw errors.unauthenticated();
    await trx('member_pictures').insert({ user_id: userId, hash, content }).onConflict('user_id').merge();
  });
}

/** Removes the picture of an account, if it has one, for an operator. Throws NOT_FOUND. */
export async function removePicture({ db, clock }: PicturesContext, userId: string, actor: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    const changed = await UserModel.query(trx)
      .findById(userId)
      .patch({ profile_image_url: null, updated_at: clock.now() });
    if (changed === 0) throw errors.noSuchMember();
    await deletePicture(trx, userId);
    const subject = { kind: 'member', id: userId };
    await record(trx, { at: clock.now(), actor, type: 'member.remove-picture', subject });
  });
}

/** Deletes the stored picture; its address in the account is the caller’s. */
export async function deletePicture(trx: Database, userId: string): Promise<void> {
  await trx('member_pictures').where({ user_id: userId }).delete();
}

/** The WebP picture with this hash. Throws NOT_FOUND. */
export async function pictureWith(db: Database, hash: string): Promise<Buffer> {
  const row = await db('member_pictures').where({ hash }).first('content');
  if (!row) throw errors.notFound();
  return row.content;
}

/** The picture of a member as base64, for the export; null if there is none. */
export async function pictureExportOf(db: Database, userId: string): Promise<string | null> {
  const row = await db('member_pictures').where({ user_id: userId }).first('content');
  return row?.content.toString('base64') ?? null;
}

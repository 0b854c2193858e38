import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { Extract } from 'tar-stream';
import { Type } from 'typebox';
import { closed, count, moment, numbersByName, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { ConfigError } from '#platform/config.ts';
import { compileSchema } from '#platform/validation.ts';
import { backupTexts as texts } from '#texts/backup.ts';

/** The first file of a backup, which describes the others. */
const manifestSchema = Type.Object({
  product: Type.Unsafe<'weathervane'>({ const: 'weathervane' }),
  format: Type.Integer({ minimum: 1, description: 'Of the backup file; a newer one can’t be read' }),
  version: Type.String({ description: 'Of the product' }),
  createdAt: moment,
  engine: oneOf(['sqlite', 'postgres']),
  migrations: Type.Array(Type.String(), { description: 'Applied migrations in order' }),
  counts: numbersByName('Number of rows by table'),
  sequences: numbersByName('Last value of the id sequence by table; PostgreSQL only'),
  parts: Type.Array(
    closed({
      name: Type.String({ pattern: '^(database\\.sqlite|secrets\\.json|tables/[a-z0-9_]{1,63}\\.jsonl)$' }),
      bytes: count,
      sha256: Type.String(),
    }),
  ),
});
export type Manifest = Static<typeof manifestSchema>;
const isManifest = compileSchema<Manifest>(manifestSchema, 'json');

/** The format that this code writes, and the newest that it reads. */
export const backupFormat = 1;

/** The names of the files in a backup. */
export const partNames = {
  manifest: 'manifest.json',
  database: 'database.sqlite',
  secrets: 'secrets.json',
  table: (name: string) => `tables/${name}.jsonl`,
} as const;

/** Bytes (or rows) done so far and in total, for a progress bar. */
export type OnProgress = (phase: keyof typeof texts.phases, done: number, total: number) => void;

/** The largest manifest that is read; each table and migration takes one line. */
const maxManifestBytes = 1024 * 1024;

/** The size and digest of a file that becomes part of a backup. */
export async function partOf(folder: string, name: string): Promise<Manifest['parts'][number]> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Packs a manifest and its parts in `folder` into one file, which is flushed to disk when this resolves. */
export async function writeBackupFile(
  path: string,
  { manifest, folder, onProgress }: { manifest: Manifest; folder: string; onProgress: OnProgress },
): Promise<void> {
  const archive = pack();
  const header = (name: string, size: number) => ({ name, size, mode: 0o600, mtime: new Date(manifest.createdAt) });
  const total = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  let packed = 0;
  async function* contentOf(name: string) {
    for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
      onProgress('packing', (packed += chunk.length), total);
      yield chunk;
    }
  }
  async function fill() {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await pipeline([text], archive.entry(header(partNames.manifest, text.length)));
    for (const { name, bytes } of manifest.parts) await pipeline(contentOf(name), archive.entry(header(name, bytes)));
    archive.finalize();
  }
  const file = await open(path, 'wx', 0o600);
  try {
    const disk = createWriteStream(path, { fd: file.fd, autoClose: false });
    // Both end before the file is closed, also when one of them fails.
    const ends = await Promise.allSettled([
      pipeline(archive, createGzip({ level: 4 }), disk),
      fill().catch((error: unknown) => {
        archive.destroy();
        throw error;
      }),
    ]);
    const failed = ends.findLast((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Unpacks a backup into a folder and returns its manifest. Every byte has been compared with its digest when this
 * resolves; otherwise it throws a {@link ConfigError} that says what is wrong with the file.
 */
export async function unpackBackup(
  path: string,
  { folder, onProgress }: { folder: string; onProgress: OnProgress },
): Promise<Manifest> {
  const file = await open(path).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ConfigError(code === 'ENOENT' ? texts.noSuchFile(path) : texts.unreadable(path, code));
  });
  try {
    const { size } = await file.stat();
    let read = 0;
    const source = file.createReadStream({ autoClose: false });
    source.on('data', (chunk) => onProgress('unpacking', (read += chunk.length), size));
    const archive = extract();
    // Its error also ends the loop over the archive, which reports it.
    pipeline(source, createGunzip(), archive).catch(() => undefined);
    return await unpack(path, archive, folder);
  } catch (error) {
    throw refusalOf(path, error);
  } finally {
    await file.close();
  }
}

async function unpack(path: string, archive: Extract, folder: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const missing = new Map<string, Manifest['parts'][number]>();
  for await (const entry of archive) {
    const { name, size, type, pax } = entry.header;
    const content = entry as AsyncIterable<Buffer>;
    const plain = type === 'file' && !pax;
    if (manifest === null) {
      if (!plain || name !== partNames.manifest || size > maxManifestBytes)
        throw new ConfigError(texts.notABackup(path));
      manifest = parseManifest(path, Buffer.concat(await Array.fromAsync(content)));
      for (const part of manifest.parts) missing.set(part.name, part);
      continue;
    }
    // The manifest’s schema has checked the names: no other file is written, and none outside the folder.
    const part = missing.get(name);
    if (!plain || part?.bytes !== size) throw new ConfigError(texts.damaged(path, texts.partDiffers(name)));
    missing.delete(name);
    const hash = createHash('sha256');
    await mkdir(dirname(join(folder, name)), { recursive: true });
    async function* hashed() {
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
    }
    await pipeline(hashed(), createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 }));
    if (hash.digest('hex') !== part.sha256) throw new ConfigError(texts.damaged(path, texts.partDiffers(name)));
  }
  if (manifest === null) throw new ConfigError(texts.notABackup(path));
  const [first] = missing.keys();
  if (first !== undefined) throw new ConfigError(texts.damaged(path, texts.partMissing(first)));
  return manifest;
}

function parseManifest(path: string, bytes: Buffer): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new ConfigError(texts.notABackup(path));
  }
  const { product, format, version } = (value ?? {}) as { product?: unknown; format?: unknown; version?: unknown };
  if (product === 'weathervane' && typeof format === 'number' && format > backupFormat)
    throw new ConfigError(texts.newer(path, String(version)));
  if (!isManifest(value)) throw new ConfigError(texts.notABackup(path));
  return value;
}

/** The sentence for an error of the file system, gzip, or tar-stream, whose errors have messages only. */
function refusalOf(path: string, error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR' || message === 'Unexpected end of data')
    return new ConfigError(texts.damaged(path, texts.endsEarly));
  if (code === 'EISDIR') return new ConfigError(texts.unreadable(path, code));
  if (message === 'incorrect header check' || /^(Invalid (tar )?header|Header exceeds)/.test(message))
    return new ConfigError(texts.notABackup(path));
  return code === 'Z_DATA_ERROR' ? new ConfigError(texts.damaged(path, message)) : error;
}

/** Flushes a file or a folder listing to disk, so that it survives a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems can’t sync folders; their servers persist names themselves.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

/** Whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ConfigError } from '#platform/config.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { backupFormat, isManifest, partNames } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { TarDamaged, tarEnd, tarEntries, tarHeader, tarPadding } from './tar.ts';

/** Bytes done so far of all, or rows: for a bar. */
export type OnProgress = (phase: keyof typeof texts.phases, done: number, of: number) => void;

/** The largest manifest that is read: a table or a step takes a line. */
const manifestBytes = 1024 * 1024;

/** Size and digest of a file that becomes part of a backup. */
export async function partOf(folder: string, name: string): Promise<Manifest['parts'][number]> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** Packs a manifest and its parts, which lie in a folder, into one file that is on the disk when this resolves. */
export async function writeBackupFile(
  path: string,
  { manifest, folder, onProgress }: { manifest: Manifest; folder: string; onProgress: OnProgress },
): Promise<void> {
  const modifiedAt = Date.parse(manifest.createdAt);
  const all = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  async function* archive() {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    yield tarHeader(partNames.manifest, text.length, modifiedAt);
    yield text;
    yield tarPadding(text.length);
    let packed = 0;
    for (const { name, bytes } of manifest.parts) {
      yield tarHeader(name, bytes, modifiedAt);
      for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
        packed += chunk.length;
        onProgress('packing', packed, all);
        yield chunk;
      }
      yield tarPadding(bytes);
    }
    yield tarEnd;
  }
  const file = await open(path, 'wx', 0o600);
  try {
    const disk = createWriteStream(path, { fd: file.fd, autoClose: false });
    await pipeline(Readable.from(archive()), createGzip({ level: 4 }), disk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Unpacks a backup into a folder and answers its manifest. Every byte was compared with the digests when this resolves;
 * else it throws a sentence that says what is wrong with the file.
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
    const archive = new PassThrough();
    // Its failure destroys the archive, which is where it is heard of.
    pipeline(source, createGunzip(), archive).catch(() => undefined);
    return await unpack(path, archive, folder);
  } catch (error) {
    throw reasonOf(path, error);
  } finally {
    await file.close();
  }
}

async function unpack(path: string, archive: Readable, folder: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const left = new Map<string, Manifest['parts'][number]>();
  for await (const { name, size, content } of tarEntries(archive)) {
    if (manifest === null) {
      if (name !== partNames.manifest || size > manifestBytes) throw new ConfigError(texts.notABackup(path));
      manifest = manifestIn(path, Buffer.concat(await Array.fromAsync(content)));
      for (const part of manifest.parts) left.set(part.name, part);
      continue;
    }
    const part = left.get(name);
    if (part?.bytes !== size) throw new ConfigError(texts.damaged(path, texts.partDiffers(name)));
    left.delete(name);
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
  const [missing] = left.keys();
  if (missing !== undefined) throw new ConfigError(texts.damaged(path, texts.partMissing(missing)));
  return manifest;
}

function manifestIn(path: string, bytes: Buffer): Manifest {
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

function reasonOf(path: string, error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR' || (error instanceof TarDamaged && error.early))
    return new ConfigError(texts.damaged(path, texts.endsEarly));
  if (error instanceof TarDamaged) return new ConfigError(texts.notABackup(path));
  if (code === 'EISDIR') return new ConfigError(texts.unreadable(path, code));
  if (code === 'Z_DATA_ERROR') {
    const { message } = error as Error;
    return new ConfigError(
      message === 'incorrect header check' ? texts.notABackup(path) : texts.damaged(path, message),
    );
  }
  return error;
}

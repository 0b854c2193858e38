import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import { sqliteFileTexts as texts } from '#texts/sqlite-file.ts';
import { ConfigError } from './config.ts';

/** Size up to which all pages of a SQLite file are checked before it is opened; a larger one is left to the doctor. */
const checkedAtOpenBytes = 256 * 1024 * 1024;

/** How often a file that looks damaged, each time in another way, is read again. */
const attempts = 5;
const betweenAttemptsMs = 200;

const magic = Buffer.from('SQLite format 3\0');

/** A SQLite file that must not be opened for writing. The message says what to copy and what to do next. */
export class DamagedDatabase extends ConfigError {
  /** SQLite's own code, so that a running service answers as it does for damage that SQLite itself finds. */
  readonly code = 'SQLITE_CORRUPT';
  /** What is wrong, as the middle of a sentence. */
  readonly why: string;
  /** What is wrong, and what to do about it: the two halves of the message. */
  readonly finding: { readonly text: string; readonly advice: string };

  constructor(file: string, why: string) {
    const present = [file, `${file}-wal`, `${file}-shm`].filter((path) => existsSync(path));
    const finding = { text: texts.damaged(file, why), advice: texts.advice(present) };
    super(`${finding.text} ${finding.advice}`);
    this.why = why;
    this.finding = finding;
  }
}

/**
 * What is wrong with a SQLite file, before it is opened; null when nothing is, and when it is not there. `hadData` tells
 * whether the installation has had a database, so that an empty file is not a new one. Nothing is written: opening a file
 * for writing could already change it. Pages are checked where that takes a moment; `npm run doctor` checks all.
 *
 * Must not be called while this process has the file open: closing any descriptor of a file gives up all locks that
 * the process holds on it (sqlite.org/howtocorrupt.html).
 */
export async function sqliteFileProblem(file: string, hadData?: () => Promise<boolean>): Promise<string | null> {
  let before: string | null = null;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await wait(betweenAttemptsMs);
    const problem = await problemSeen(file, hadData);
    // Damage stays as it is; what another process is writing does not.
    if (problem === before) return problem;
    before = problem;
    if (problem === null) return null;
  }
  return null;
}

async function problemSeen(file: string, hadData?: () => Promise<boolean>): Promise<string | null> {
  if ((await sizeOf(file)) === null) return null;
  const logSize = (await sizeOf(`${file}-wal`)) ?? 0;
  const head = await headOf(file);
  // After what it says of itself: the file only grows while somebody moves the log's pages into it.
  const size = (await sizeOf(file)) ?? 0;
  if (size === 0) return logSize > 0 || (await hadData?.()) === true ? texts.empty : null;
  if (!head.subarray(0, magic.length).equals(magic)) return texts.notSqlite;
  const expected = sizeSaid(head);
  if (logSize === 0 && expected !== null && size < expected) return texts.tooShort(size, expected);
  const damagedAt = logSize > 0 ? await logDamage(`${file}-wal`) : null;
  if (damagedAt !== null) return texts.logDamaged(`${file}-wal`, damagedAt);
  return size > checkedAtOpenBytes ? null : pageDamage(file);
}

async function headOf(file: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle?.close();
  }
}

/** The bytes that the file has by its own account, where that is up to date (see sqlite.org/fileformat2.html). */
function sizeSaid(head: Buffer): number | null {
  if (head.length < 100 || head.readUInt32BE(24) !== head.readUInt32BE(92)) return null;
  const pageSize = head.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * head.readUInt32BE(28);
}

async function pageDamage(file: string): Promise<string | null> {
  const db = knexFactory({
    client: 'sqlite3',
    // Only in an address can knex be told to open it for reading alone.
    connection: { filename: `${pathToFileURL(file).href}?mode=ro`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
    compileSqlOnError: false,
    log: { warn: () => undefined, error: () => undefined, deprecate: () => undefined, debug: () => undefined },
  });
  try {
    return firstDamage(await db.raw<Record<string, string>[]>('pragma quick_check(1)'));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // A disk that is read-only or whose owner is another is told by whoever opens the file for writing.
    return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' ? message : null;
  } finally {
    await db.destroy();
  }
}

/** The first line of what SQLite's checks answer that names damage; null when all is well. */
export function firstDamage(rows: readonly Readonly<Record<string, string>>[]): string | null {
  // A row may begin with a line that only names the database.
  const lines = rows.flatMap((row) => Object.values(row).flatMap((text) => text.split('\n')));
  return lines.find((line) => line !== 'ok' && !line.startsWith('***')) ?? null;
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

/** Bytes of the head of a write-ahead log, and of the head of each page in it (see sqlite.org/fileformat2.html). */
const logHead = 32;
const frameHead = 24;
const magics: ReadonlyMap<number, boolean> = new Map([
  [0x377f0682, true],
  [0x377f0683, false],
]);

/** Frames that are read at once. */
const framesAtOnce = 256;

/**
 * The byte at which a write-ahead log is damaged although what follows was committed; null where it is not. SQLite would
 * take the place for the log's end and overwrite the rest: votes that were acknowledged. A log that a power cut left
 * unfinished is no damage; one that is being written may look damaged, at another byte each time.
 */
export async function logDamage(file: string): Promise<number | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return await damagedAt(handle);
  } finally {
    await handle.close();
  }
}

/** As {@link logDamage}, over an open file. A log that was begun anew while it was read is read again. */
export async function damagedAt(handle: Pick<FileHandle, 'stat' | 'read'>): Promise<number | null> {
  // What another process adds meanwhile is not read: this one may be slower than that one writes.
  const { size } = await handle.stat();
  if (size === logHead) return null;
  const head = await bytesAt(handle, 0, logHead);
  if (head.length < logHead) return null;
  const little = magics.get(head.readUInt32BE(0));
  let sum: Sum = [0, 0];
  if (little === undefined || !isSum(head, 24, (sum = summed(head, 0, 24, sum, little)))) return 0;
  const frame = frameHead + head.readUInt32BE(8);
  let damaged: number | null = null;
  // The last transaction may be there in part, its end included. Two ends mean that the first of them had been synced.
  let ends = 0;
  for (let from = logHead; ;) {
    const frames = await bytesAt(handle, from, Math.min(framesAtOnce * frame, size - from));
    const count = Math.floor(frames.length / frame);
    if (count === 0) return null;
    for (let at = 0; at < count * frame; at += frame) {
      // Frames with another salt are left from before the log was begun anew.
      const isOurs = frames.compare(head, 16, 24, at + 8, at + 16) === 0;
      if (damaged === null) {
        sum = summed(frames, at + frameHead, at + frame, summed(frames, at, at + 8, sum, little), little);
        if (isOurs && isSum(frames, at + 16, sum)) continue;
        damaged = from + at;
      }
      if (isOurs && frames.readUInt32BE(at + 4) !== 0) ends += 1;
      if (ends < 2) continue;
      const isSameLog = head.equals(await bytesAt(handle, 0, logHead));
      return isSameLog ? damaged : damagedAt(handle);
    }
    from += count * frame;
  }
}

async function bytesAt(handle: Pick<FileHandle, 'read'>, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

type Sum = readonly [number, number];

/** SQLite's checksum over pairs of 32-bit words. */
function summed(log: Buffer, from: number, to: number, [first, second]: Sum, little: boolean): Sum {
  for (let at = from; at < to; at += 8) {
    first = (first + (little ? log.readUInt32LE(at) : log.readUInt32BE(at)) + second) >>> 0;
    second = (second + (little ? log.readUInt32LE(at + 4) : log.readUInt32BE(at + 4)) + first) >>> 0;
  }
  return [first, second];
}

function isSum(log: Buffer, at: number, [first, second]: Sum): boolean {
  return log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
}

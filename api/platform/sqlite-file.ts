import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import { sqliteFileTexts as texts } from '#texts/errors.ts';
import { ConfigError } from './config.ts';

/** Size up to which all pages of a SQLite file are checked before it is opened; a larger one is left to the doctor. */
const checkedAtOpenBytes = 256 * 1024 * 1024;

/** How often a file is read again while it looks damaged in a different way each time. */
const attempts = 5;
const betweenAttemptsMs = 200;

const magic = Buffer.from('SQLite format 3\0');

/** A SQLite file that must not be opened for writing. The message states what to copy and what to do next. */
export class DamagedDatabase extends ConfigError {
  /** SQLite's code, so that a running service answers as for damage found by SQLite itself. */
  readonly code = 'SQLITE_CORRUPT';
  /** The problem, as the middle of a sentence. */
  readonly why: string;
  /** The problem and the remedy: the two halves of the message. */
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
 * Checks a SQLite file before it is opened; null without a problem or a file. `hadData` returns whether the installation
 * has had a database, in which case an empty file is a problem. Nothing is written: opening a file for writing could already
 * change it. Pages are checked in small files only; `npm run doctor` checks all.
 *
 * Must not be called while this process has the file open: closing any descriptor of a file releases all locks that the
 * process holds on it (sqlite.org/howtocorrupt.html).
 */
export async function sqliteFileProblem(file: string, hadData?: () => Promise<boolean>): Promise<string | null> {
  let before: string | null = null;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (attempt > 1) await wait(betweenAttemptsMs);
    const problem = await problemSeen(file, hadData);
    // Damage stays the same between reads; a file being written does not.
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
  // Read after the header: the file only grows during a checkpoint by another process.
  const size = (await sizeOf(file)) ?? 0;
  if (size === 0) return logSize > 0 || (await hadData?.()) === true ? texts.empty : null;
  if (!head.subarray(0, magic.length).equals(magic)) return texts.notSqlite;
  const expected = statedSize(head);
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

/** The file size stated in the header, if that is up to date (see sqlite.org/fileformat2.html). */
function statedSize(head: Buffer): number | null {
  if (head.length < 100 || head.readUInt32BE(24) !== head.readUInt32BE(92)) return null;
  const pageSize = head.readUInt16BE(16);
  return (pageSize === 1 ? 65_536 : pageSize) * head.readUInt32BE(28);
}

async function pageDamage(file: string): Promise<string | null> {
  const db = knexFactory({
    client: 'sqlite3',
    // Knex can open a file read-only only through a file URL.
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
    // A read-only disk or missing permissions are reported when the file is opened for writing.
    return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' ? message : null;
  } finally {
    await db.destroy();
  }
}

/** The first line of the result of SQLite's checks that reports damage; null when there is none. */
export function firstDamage(rows: readonly Readonly<Record<string, string>>[]): string | null {
  // A row may start with a line that only names the database.
  const lines = rows.flatMap((row) => Object.values(row).flatMap((text) => text.split('\n')));
  return lines.find((line) => line !== 'ok' && !line.startsWith('***')) ?? null;
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

/** Bytes of the header of a write-ahead log, and of the header of each frame (see sqlite.org/fileformat2.html). */
const logHead = 32;
const frameHead = 24;
const magics: ReadonlyMap<number, boolean> = new Map([
  [0x377f0682, true],
  [0x377f0683, false],
]);

/** Frames read at once. */
const framesPerRead = 256;

/**
 * The byte at which a write-ahead log is damaged although committed frames follow; null otherwise. SQLite would take it for
 * the end of the log and overwrite the rest: acknowledged votes. A log cut short by a power failure is not damaged; one that
 * is being written may look damaged, at a different byte each time.
 */
async function logDamage(file: string): Promise<number | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return await damagedAt(handle);
  } finally {
    await handle.close();
  }
}

/** {@link logDamage} for an open file. A log that is reset while being read is read again. */
export async function damagedAt(handle: Pick<FileHandle, 'stat' | 'read'>): Promise<number | null> {
  // Frames appended meanwhile are not read: another process may write faster than this one reads.
  const { size } = await handle.stat();
  if (size === logHead) return null;
  const head = await bytesAt(handle, 0, logHead);
  if (head.length < logHead) return null;
  const little = magics.get(head.readUInt32BE(0));
  let sum: Sum = [0, 0];
  if (little === undefined || !isSum(head, 24, (sum = summed(head, 0, 24, sum, little)))) return 0;
  const frame = frameHead + head.readUInt32BE(8);
  let damaged: number | null = null;
  // The last transaction may be written partially, even its commit frame. Two commit frames prove that the first was synced.
  let commits = 0;
  for (let from = logHead; ;) {
    const frames = await bytesAt(handle, from, Math.min(framesPerRead * frame, size - from));
    const count = Math.floor(frames.length / frame);
    if (count === 0) return null;
    for (let at = 0; at < count * frame; at += frame) {
      // Frames with another salt are left over from before the log was reset.
      const isCurrent = frames.compare(head, 16, 24, at + 8, at + 16) === 0;
      if (damaged === null) {
        sum = summed(frames, at + frameHead, at + frame, summed(frames, at, at + 8, sum, little), little);
        if (isCurrent && isSum(frames, at + 16, sum)) continue;
        damaged = from + at;
      }
      if (isCurrent && frames.readUInt32BE(at + 4) !== 0) commits += 1;
      if (commits < 2) continue;
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

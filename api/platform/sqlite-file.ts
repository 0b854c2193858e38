import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import { serverLimits } from '#contract/server-limits.ts';
import { sqliteFileTexts as texts } from '#texts/errors.ts';
import { ConfigError } from './config.ts';
import { logDamage } from './sqlite-log.ts';

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
  return size > serverLimits.checkedAtOpenBytes ? null : pageDamage(file);
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

import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import knexFactory from 'knex';
import { serverLimits } from '#contract/server-limits.ts';
import { sqliteFileTexts as texts } from '#texts/sqlite-file.ts';
import { sqliteDamage } from './sqlite-damage.ts';
import { logDamage } from './sqlite-log.ts';

/** Looks at a file that seems to be damaged. */
const looks = 3;
const betweenLooksMs = 200;

const magic = Buffer.from('SQLite format 3\0');

/**
 * What is wrong with a SQLite file, before anybody opens it for writing; null when nothing is, and when it is not there.
 * `used` says that the installation has had a database, so that an empty file is not a fresh one. Nothing is written:
 * opening a file as usual could already change it. Pages are looked at where that takes a moment; `npm run doctor` looks
 * at all. Whoever has the file open may write between one look and the next; what is damaged stays so.
 */
export async function sqliteFileProblem(file: string, { used }: { readonly used: boolean }): Promise<string | null> {
  for (let look = 1; ; look++) {
    const problem = await problemSeen(file, used);
    if (problem === null || look === looks) return problem;
    await wait(betweenLooksMs);
  }
}

async function problemSeen(file: string, used: boolean): Promise<string | null> {
  if ((await sizeOf(file)) === null) return null;
  const logSize = (await sizeOf(`${file}-wal`)) ?? 0;
  const head = await headOf(file);
  // After what it says of itself: the file only grows while somebody moves the log's pages into it.
  const size = (await sizeOf(file)) ?? 0;
  if (size === 0) return used || logSize > 0 ? texts.empty : null;
  if (!head.subarray(0, magic.length).equals(magic)) return texts.notSqlite;
  const expected = sizeSaid(head);
  if (logSize === 0 && expected !== null && size < expected) return texts.tooShort(size, expected);
  if (logSize > 0 && (await logDamage(`${file}-wal`))) return texts.logDamaged(`${file}-wal`);
  return size > serverLimits.checkedAtStartBytes ? null : pageDamage(file);
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
    return await sqliteDamage(db, 'quick');
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // A disk that is read-only or whose owner is another is told by whoever opens the file for writing.
    return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' ? message : null;
  } finally {
    await db.destroy();
  }
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

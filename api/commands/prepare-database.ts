import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { appliedMigrations, isSqlite, knownMigrations, migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { currentReleaseId } from '#api/publishing/releases.ts';
import { withTimeout } from '#platform/clock.ts';
import { startTexts } from '#texts/start.ts';

/** A server that is about to start answers so, too: it is worth waiting for. */
const mayComeUp = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  '57P03',
];
/** A wrong password, database or role: waiting does not help. */
const refused = ['28P01', '3D000', '28000'];
const notAFile = ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM'];
const noRoom = ['SQLITE_FULL', 'SQLITE_IOERR', '53100', 'ENOSPC', 'EROFS'];
const damaged = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Milliseconds that one look for a database server may take, and between two of them. */
const lookMs = 5_000;
const betweenLooksMs = 500;

/** Opens the installation's database for writing. An empty SQLite file is refused where a release tells of earlier data. */
export function openInstallation({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Database {
  return openDatabase(databaseUrl, {
    hadData: async () => (await currentReleaseId(dataDir).catch(() => null)) !== null,
  });
}

/**
 * Brings the schema to the newest version and answers how many steps that took; safe when several processes start at once.
 * Throws a sentence when the database does not answer, or has been through migrations that this code does not know. Writes
 * nothing when the schema is up to date, so that a service also starts on a full disk.
 */
export async function prepareDatabase(db: Database): Promise<number> {
  try {
    const before = await appliedMigrations(db);
    refuseNewer(before);
    // An update lock needs room on the disk, which must not keep a service from starting.
    if (before.length === knownMigrations().length) return 0;
    await migrate(db);
    return (await appliedMigrations(db)).length - before.length;
  } catch (error) {
    throw unreachableReason(error) ?? error;
  }
}

/** Waits for a database server that does not answer yet, and says so once; throws a sentence when it takes too long. */
export async function waitForDatabase(
  db: Database,
  options: { readonly seconds: number; readonly signal?: AbortSignal; readonly say: (line: string) => void },
): Promise<void> {
  if (isSqlite(db)) return;
  const until = performance.now() + options.seconds * 1_000;
  for (let said = false; ;) {
    try {
      await withTimeout(lookMs, Promise.resolve(db.raw('select 1')));
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isLate = code === undefined;
      if (!isLate && !mayComeUp.includes(code)) throw unreachableReason(error) ?? error;
      if (options.signal?.aborted === true) return;
      if (performance.now() >= until)
        throw unreachableReason(error) ?? new ConfigError(startTexts.databaseUnreachable((error as Error).message));
      if (!said) options.say(startTexts.databaseAwaited(reasonOf(error), options.seconds));
      said = true;
      await pause(betweenLooksMs);
    }
  }
}

/** The sentence for a database that does not answer or is damaged; null for any other error. */
export function unreachableReason(error: unknown): ConfigError | null {
  // A file that was found damaged has its sentence already.
  if (error instanceof ConfigError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return null;
  const why = reasonOf(error);
  if (mayComeUp.includes(code)) return new ConfigError(startTexts.databaseUnreachable(why));
  if (refused.includes(code)) return new ConfigError(startTexts.databaseRefused(why));
  if (noRoom.includes(code)) return new ConfigError(startTexts.databaseHasNoRoom(why));
  if (notAFile.includes(code)) return new ConfigError(startTexts.databaseFileRefused(why));
  return damaged.includes(code) ? new ConfigError(startTexts.databaseDamaged(why)) : null;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // A refused connection to "localhost" is several errors in one, without a message of its own.
  // Knex puts the whole statement in front of what SQLite says.
  return message === '' ? (code ?? '') : message.replace(/^[^]* - (?=SQLITE_)/, '');
}

function refuseNewer(applied: readonly string[]): void {
  const known = new Set(knownMigrations());
  const newer = applied.filter((name) => !known.has(name));
  if (newer.length > 0) throw new ConfigError(startTexts.databaseNewer(newer));
}

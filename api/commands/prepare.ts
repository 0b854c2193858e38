import '#api/consequences.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, withTimeout } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import {
  appliedMigrations,
  assertKnown,
  isSqlite,
  knownMigrations,
  migrate,
  openDatabase,
} from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { databaseRefusal, reasonOf, startingCodes } from '#platform/database-problem.ts';
import { servedBuild } from '#api/publishing/builds.ts';
import { startTexts } from '#texts/start.ts';
import { recordFeedStart } from '#api/publishing/page-data/feed-start.service.ts';
import { buildSearchIndex } from '#api/search/search-index.service.ts';
import { phaseBar } from './progress-bar.ts';

/** The time limit for one connection attempt and the pause between attempts, in milliseconds. */
const lookMs = 5_000;
const betweenLooksMs = 500;

/** Opens the site’s database for writing. An empty SQLite file is refused if a release shows that there was data. */
export function openInstallation({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Database {
  return openDatabase(databaseUrl, {
    hadData: () => Promise.resolve(servedBuild(dataDir) !== null),
  });
}

/**
 * Migrates the schema to the latest version, builds the search index if it is missing, and returns the number of migrations.
 * Safe when several processes start simultaneously. Throws a {@link ConfigError} if the database does not respond or has
 * unknown migrations. Writes nothing if the schema is up to date, so that a service also starts on a full disk.
 */
export async function prepareDatabase(db: Database, config: Pick<Config, 'publicUrl'>): Promise<number> {
  try {
    const before = await appliedMigrations(db);
    assertKnown(before);
    // A lock for writing needs disk space, whose lack must not keep a service from starting.
    if (before.length < knownMigrations().length) await migrate(db);
    const bar = phaseBar({ bar: startTexts.bar, phases: { index: startTexts.searchIndex } });
    await buildSearchIndex(db, (done, of) => bar.show('index', done, of)).finally(bar.end);
    await recordFeedStart(db, config.publicUrl, systemClock.now());
    return (await appliedMigrations(db)).length - before.length;
  } catch (error) {
    throw databaseRefusal(error) ?? error;
  }
}

/**
 * Waits for a database server that does not respond yet and reports that once; throws a {@link ConfigError} after the
 * time limit.
 */
export async function waitForDatabase(
  db: Database,
  options: { readonly seconds: number; readonly signal?: AbortSignal; readonly say: (line: string) => void },
): Promise<void> {
  if (isSqlite(db)) return;
  const until = performance.now() + options.seconds * 1_000;
  for (let announced = false; ;) {
    try {
      await withTimeout(lookMs, Promise.resolve(db.raw('select 1')));
      return;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const isStarting = startingCodes.includes(code);
      if (isStarting && options.signal?.aborted === true) return;
      if (!isStarting || performance.now() >= until) throw databaseRefusal(error) ?? error;
      if (!announced) options.say(startTexts.databaseAwaited(reasonOf(error), options.seconds));
      announced = true;
      await pause(betweenLooksMs);
    }
  }
}

/** Loads the demo polls if the settings allow it and the database is empty. */
export async function loadDemonstrationIfEmpty(db: Database, config: Pick<Config, 'demoData'>): Promise<void> {
  if (!config.demoData || (await db('ballots').first('id')) !== undefined) return;
  console.log(startTexts.demonstration);
  // Imported only if needed: other starts don’t load the importer.
  const { loadDemonstration } = await import('#api/admin/demonstration.service.ts');
  await loadDemonstration(db, systemClock);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setInterval } from 'node:timers/promises';
import { databaseBytes, openDatabase } from '#platform/database.ts';
import { fillEarlierRelease } from '#api/testing/earlier-votes.ts';
import { residentMemory } from '#api/testing/resident-memory.ts';
import { beginBulkLoad, dropIndexes } from './bulk-load.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import type { Row } from './report.ts';
import { benchVoterKey } from './server-process.ts';
import { benchTexts } from './texts.ts';

const texts = benchTexts.migration;
/** Milliseconds between two measurements of memory. */
const sampleMs = 200;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** Converts the votes of the previous release with `npm run migrate`, once on each engine. Memory is that of the command. */
export async function benchMigration(options: {
  readonly votes: number;
  readonly only: string | null;
  readonly report: (line: string) => void;
}): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of engines) {
    if (options.only !== null && !engine.includes(options.only)) continue;
    const folder = await workFolder();
    const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
    try {
      const url = await (await newDatabases(engine, folder, (cleanUp) => cleanUps.push(cleanUp)))();
      options.report(texts.filling(engine, options.votes));
      const load = await beginBulkLoad(url);
      await fillEarlierRelease(load.db, options.votes, async (insert) => {
        const indexes = await dropIndexes(load, ['votes']);
        await insert();
        for (const statement of indexes) await load.run(statement);
      });
      await load.end();
      const before = await bytesOf(url);
      const { seconds, peak } = await migrateIn(folder, url);
      rows.push({
        [texts.engine]: engine,
        [texts.seconds]: seconds.toFixed(1),
        [texts.microseconds]: ((seconds * 1e6) / options.votes).toFixed(1),
        [texts.memory]: megabytes(peak),
        [texts.before]: megabytes(before),
        [texts.after]: megabytes(await bytesOf(url)),
      });
    } finally {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    }
  }
  return rows;
}

async function bytesOf(url: string): Promise<number> {
  const db = openDatabase(url);
  return databaseBytes(db).finally(() => db.destroy());
}

async function migrateIn(dataDir: string, url: string): Promise<{ seconds: number; peak: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../api/commands/migrate.ts', import.meta.url))], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, DATABASE_URL: url, VOTER_KEY: benchVoterKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const done = new AbortController();
  const ended = once(child, 'exit').finally(() => done.abort());
  let peak = 0;
  try {
    for await (const pid of setInterval(sampleMs, child.pid ?? 0, done))
      peak = await residentMemory(pid).then(
        (memory) => memory.peak || peak,
        () => peak,
      );
  } catch (error) {
    if (!done.signal.aborted) throw error;
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`npm run migrate ended with code ${code}.`);
  return { seconds: (performance.now() - started) / 1_000, peak };
}

/**
 * A builder process for tests that kill it: everything of the real one except Astro. It runs the due build, or requests
 * one first with `--ask`, and records in a file when it starts and ends, and its parent process.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { buildRelease } from '#api/publishing/build.service.ts';
import { requestBuildNow, runNextBuild } from '#api/publishing/publishing.service.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { stubPages } from './stub-pages.ts';

const config = readConfig();
const db = openDatabase(config.databaseUrl);
const clock = systemClock;
const note = (word: string) =>
  appendFileSync(join(config.dataDir, 'builders.log'), `${word} ${process.pid} of ${process.ppid}\n`);

if (process.argv.includes('--ask')) await requestBuildNow(db, clock, 'asked for by a test');
const outcome = await runNextBuild({
  db,
  clock,
  heartbeatMs: 100,
  build: async (running) => {
    note('begin');
    console.log('building');
    await buildRelease({
      clock,
      config,
      siteKey: '',
      running,
      takeSnapshot: (options) => writeSnapshot({ db, clock, settings: config, ...options }),
      renderPages: stubPages(Number(process.env.STUB_PAUSE_MS ?? 4)),
    });
    note('end');
  },
});
if (outcome.status === 'failed') console.error(outcome.error.message);
await db.destroy();
process.exitCode = outcome.status === 'failed' ? 1 : 0;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '#platform/database.ts';
import { importBatchRows } from '#api/polls/import/poll-queue.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';

/** The number of kills per kind of import and database; see publishing/kills.http.test.ts. */
const kills = Number(process.env.KILLS ?? 1);
const polls = 3 * importBatchRows;
const time = { timeout: 40_000 + kills * 15_000 };

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-import-kills-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Closed polls with votes, so that every counter changes; each `round` changes all of them. */
async function write(round: number): Promise<string> {
  const header = 'id question description options is_active created_at starts_at ends_at category'.split(' ');
  const rows = Array.from({ length: polls }, (_, n) => {
    const options = [n % 7, round].map((votes, place) => ({ id: `o${place}`, text: `Answer ${place}`, votes }));
    const dates = ['2026-01-01', '2026-01-01', '2026-01-08'].map((day) => `${day}T00:00:00Z`);
    return [`poll-${n}`, `Question ${n}?`, 'Why?', JSON.stringify(options), 'false', ...dates, `Kind ${n % 5}`];
  });
  const path = join(dataDir, `round-${round}.csv`);
  await writeFile(path, stringify([header, ...rows]));
  return path;
}

/** Runs "npm run import" and kills it after some milliseconds, if it is still running. */
async function run(url: string, words: string[], killAfter?: number): Promise<number | null> {
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('import.ts', import.meta.url)), ...words], {
    stdio: 'ignore',
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, NODE_ENV: 'test' },
  });
  const ended = once(child, 'close');
  if (killAfter !== undefined) {
    await Promise.race([pause(killAfter - (performance.now() - started)), ended]);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  return code;
}

/** The number of polls with the votes of a round. */
async function importedIn(db: Database, round: number): Promise<number> {
  const { count } = await db('ballot_options')
    .where({ option_id: 'o1', base_votes: round })
    .count('* as count')
    .first<{ count: number | string }>();
  return Number(count);
}

/** As if the import’s heartbeat had expired. */
const waitForDeath = (db: Database) => db('poll_imports').where({ busy: true }).update({ heartbeat_at: 0 });

oneDatabase((open) => {
  test.each([
    ['by rows', [], importBatchRows],
    ['all or nothing', ['--all-or-nothing'], polls],
  ])(
    'a killed import %s leaves complete polls, requests a build, and can be continued',
    time,
    async (_, words, step) => {
      const { db, url } = await open();
      const started = performance.now();
      expect(await run(url, [await write(1), ...words])).toBe(0);
      const usual = performance.now() - started;
      await expectExactCounters(db);

      for (let round = 2; round < kills + 2; round += 1) {
        await forgetPages(db);
        const file = await write(round);
        await run(url, [file, ...words], usual * (0.3 + Math.random() * 0.8));
        const imported = await importedIn(db, round);
        // A batch is acknowledged completely or not at all.
        expect(imported % step, `${imported} polls`).toBe(0);
        expect(await waitingPages(db).where({ kind: 'poll' })).toHaveLength(imported);
        await expectExactCounters(db);
        expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
        await waitForDeath(db);

        expect(await run(url, [file, ...words])).toBe(0);
        expect(await importedIn(db, round)).toBe(polls);
        expect(await db('polls').count('* as count').first()).toEqual({ count: polls });
        await expectExactCounters(db);
        expect(await db('poll_imports').where({ busy: true })).toEqual([]);
      }
    },
  );
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { brokenReleases, leftovers } from '#api/testing/whole-releases.ts';
import { recordChanges } from './changes.service.ts';
import { startPublisher } from './publisher.service.ts';
import { projectFolder } from './source-digest.ts';
import { currentHead } from './store.ts';

/** The number of kills of a publisher per database, at random times. KILLS=30 runs more. */
const kills = Number(process.env.KILLS === 'all' ? 30 : (process.env.KILLS ?? 2));
const program = fileURLToPath(new URL('../testing/fake-publisher.ts', import.meta.url));

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-kills-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Starts a publisher process; `ready` resolves when it has connected. */
function publisher(url: string) {
  const child = spawn(process.execPath, [program], {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD: 'only for tests' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  const ready = Promise.race([once(child.stdout, 'data'), ended]);
  return { child, ready, ended };
}

/** As if the lease of the job, and the pause before the next attempt, had expired. */
async function waitForDeath(db: Database): Promise<void> {
  await db('build_jobs')
    .where({ status: 'running' })
    .update({ heartbeat_at: Date.now() - 4_000 });
  await db('publish_changes').update({ attempts: 0, due_at: 1 });
}

oneDatabase((open) => {
  test(
    'a publisher killed at any moment leaves complete releases, and the next one publishes what it did not',
    { timeout: 10_000 * (kills + 3) },
    async () => {
      const { db, url } = await open();
      const ids = Array.from({ length: 40 }, (_, n) => `closed-${n}`);
      await seedPolls(
        db,
        ids.map((id, n) => ({ id, closedAt: testNow + n })),
      );
      await recordChanges(db, Date.now(), [{ kind: 'site', key: 'a test' }]);
      expect(await publisher(url).ended).toEqual({ code: 0, said: '' });
      for (let kill = 0; kill < kills; kill += 1) {
        const clock = systemClock;
        for (const id of ids.slice(0, 20)) await editPoll({ db, clock }, id, { summary: `Summary ${kill}.` });
        if (kill % 2 === 1) await recordChanges(db, Date.now(), [{ kind: 'site', key: 'a test' }]);
        const { child, ready, ended } = publisher(url);
        await ready;
        await Promise.race([pause(Math.random() * 600), ended]);
        child.kill('SIGKILL');
        await ended;
        expect(currentHead(dataDir)).not.toBeNull();
        await waitForDeath(db);
      }
      expect(await publisher(url).ended).toEqual({ code: 0, said: '' });
      expect(brokenReleases(dataDir)).toEqual([]);
      expect(leftovers(dataDir)).toEqual([]);
      expect(await db('build_jobs').where({ status: 'running' })).toEqual([]);
      expect(await db('publish_changes')).toEqual([]);
      expect(await db('site_releases').where({ is_current: true }).pluck('id')).toEqual([
        currentHead(dataDir)?.release,
      ]);
    },
  );

  test(
    '[D9.17] two services never publish at once, and the job of a dead publisher is released',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      await seedPolls(db, [{ id: 'tea', closedAt: testNow }]);
      const others = [openDatabase(url), openDatabase(url)];
      const config = readConfig({ DATA_DIR: dataDir });
      vi.stubEnv('DATABASE_URL', url);
      vi.stubEnv('DATA_DIR', dataDir);
      const nextTransition = () => Promise.resolve(null);
      const publishers = others.map((other) =>
        startPublisher({
          ...{ db: other, clock: systemClock, config, log: silentLogger, nextTransition },
          program: [program],
        }),
      );
      try {
        const log = () => readFile(join(dataDir, 'publishers.log'), 'utf8').catch(() => '');
        const publishes = async () =>
          [...(await log()).matchAll(/(begin|end) (\d+)/g)].map(([, word, pid]) => ({ word, pid }));
        const until = (ready: () => Promise<boolean>) =>
          vi.waitFor(async () => expect(await ready()).toBe(true), { timeout: 40_000, interval: 20 });
        // Both services lack the first release.
        await until(async () => (await publishes()).some(({ word }) => word === 'end'));
        await recordChanges(db, Date.now(), [{ kind: 'site', key: 'again' }]);
        const before = (await publishes()).length;
        await until(async () => (await publishes()).length > before);
        const victim = (await publishes()).at(-1);
        if (victim?.word === 'begin') process.kill(Number(victim.pid), 'SIGKILL');
        await until(async () => (await db('publish_changes')).length === 0);
        await until(async () => (await db('build_jobs').where({ status: 'running' })).length === 0);

        const words = await publishes();
        for (const [place, { word, pid }] of words.entries()) {
          // Each end follows its own start: no other publish ran in between.
          if (word === 'end') expect(words[place - 1]).toEqual({ word: 'begin', pid });
        }
        expect(brokenReleases(dataDir)).toEqual([]);
      } finally {
        await Promise.all(publishers.map((one) => one.stop()));
        for (const other of others) await other.destroy();
        vi.unstubAllEnvs();
      }
    },
  );
});

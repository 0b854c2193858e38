import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { brokenReleases, leftovers } from '#api/testing/whole-releases.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { reasonToBuild } from './build.service.ts';
import { startPublisher } from './publisher.service.ts';
import { requestBuildNow } from './publishing.service.ts';
import { currentReleaseId } from './releases.service.ts';
import { projectFolder } from './source-digest.ts';

/**
 * The number of kills of a builder per database, at random times. KILLS=30 runs more, and KILLED=astro kills the
 * complete builder of "npm run publish" instead of one without Astro, which takes minutes.
 */
const kills = Number(process.env.KILLS ?? 2);
const withAstro = process.env.KILLED === 'astro';
const builder = fileURLToPath(new URL('../testing/stub-builder.ts', import.meta.url));
const killed = withAstro ? [fileURLToPath(new URL('../commands/build.ts', import.meta.url))] : [builder, '--ask'];

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-kills-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Starts a builder process; `building` resolves when it holds the job. */
function build(url: string) {
  const child = spawn(process.execPath, killed, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD: 'only for tests' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  const building = Promise.race([once(child.stdout, 'data'), ended]);
  return { child, building, ended };
}

/** As if the job’s lease had expired. */
const waitForDeath = (db: Database) =>
  db('build_jobs')
    .where({ status: 'running' })
    .update({ heartbeat_at: Date.now() - 4_000 });

oneDatabase((open) => {
  test(
    'a build killed at any moment leaves complete releases, and the next one cleans up',
    { timeout: (withAstro ? 120_000 : 10_000) * (kills + 3) },
    async () => {
      const { db, url } = await open();
      await seedPolls(db, [
        { id: 'open' },
        ...Array.from({ length: 40 }, (_, n) => ({ id: `closed-${n}`, closedAt: testNow + n })),
      ]);
      const first = build(url);
      await first.building;
      const begun = performance.now();
      expect(await first.ended).toEqual({ code: 0, said: '' });
      const usual = performance.now() - begun;

      for (let kill = 0; kill < kills; kill += 1) {
        const release = await currentReleaseId(dataDir);
        await db('polls')
          .where({ id: `closed-${kill % 40}` })
          .update({ summary: `Summary ${kill}.` });
        const { child, building, ended } = build(url);
        await building;
        await Promise.race([pause(Math.random() * usual), ended]);
        child.kill('SIGKILL');
        await ended;
        expect(await brokenReleases(dataDir), `kill ${kill}`).toEqual([]);
        const current = await currentReleaseId(dataDir);
        // Killed between the switch and its commit: the current release is complete, and the next start builds again,
        // because the database doesn’t know it.
        const isKnown = async () => current === release || (await newReleases(db)).includes(current ?? '');
        const reason = (await isKnown()) ? null : await reasonToBuild(db, readConfig({ DATA_DIR: dataDir }));
        expect((await isKnown()) || reason === publishingTexts.reasons.otherDatabase, `kill ${kill}`).toBe(true);
        await waitForDeath(db);
      }

      expect(await build(url).ended).toEqual({ code: 0, said: '' });
      expect(await brokenReleases(dataDir)).toEqual([]);
      expect(await leftovers(dataDir)).toEqual([]);
      expect(await db('build_jobs').whereIn('status', ['queued', 'running'])).toEqual([]);
      const current = await db('site_releases').where({ is_current: true }).pluck<string[]>('id');
      expect(current).toEqual([await currentReleaseId(dataDir)]);
    },
  );

  test(
    '[D9.17] two services never build at once, and the job of a dead builder is released',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      const others = [openDatabase(url), openDatabase(url)];
      const config = readConfig({ DATA_DIR: dataDir });
      vi.stubEnv('DATABASE_URL', url);
      vi.stubEnv('DATA_DIR', dataDir);
      const publishers = others.map((other) =>
        startPublisher({ db: other, clock: systemClock, config, log: silentLogger, builder: [builder, '--queued'] }),
      );
      try {
        const log = async () =>
          existsSync(join(dataDir, 'builders.log')) ? await readFile(join(dataDir, 'builders.log'), 'utf8') : '';
        const builds = async () =>
          [...(await log()).matchAll(/(begin|end) (\d+)/g)].map(([, word, pid]) => ({ word, pid }));
        const until = (ready: () => Promise<boolean>) =>
          vi.waitFor(async () => expect(await ready()).toBe(true), { timeout: 25_000, interval: 50 });

        // Both services lack the first release and request one.
        await until(async () => (await builds()).some(({ word }) => word === 'end'));
        await requestBuildNow(db, systemClock, 'a poll closed');
        const before = (await builds()).length;
        await until(async () => (await builds()).length > before);
        const victim = (await builds()).at(-1);
        if (victim?.word === 'begin') process.kill(Number(victim.pid), 'SIGKILL');
        await requestBuildNow(db, systemClock, 'a poll opened');
        await until(async () => (await db('build_jobs').whereIn('status', ['queued', 'running'])).length === 0);

        const words = await builds();
        for (const [place, { word, pid }] of words.entries()) {
          // Each end follows its own start: no other build ran in between.
          if (word === 'end') expect(words[place - 1]).toEqual({ word: 'begin', pid });
        }
        expect(words.at(-1)?.word).toBe('end');
        expect(await brokenReleases(dataDir)).toEqual([]);
        expect(await leftovers(dataDir)).toEqual([]);
      } finally {
        await Promise.all(publishers.map((publisher) => publisher.stop()));
        for (const other of others) await other.destroy();
        vi.unstubAllEnvs();
      }
    },
  );
});

/** Releases published by a build that was killed right afterwards. */
async function newReleases(db: Database): Promise<string[]> {
  return db('site_releases').pluck<string[]>('id');
}

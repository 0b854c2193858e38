import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { systemClock as clock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { runsSlow, slow } from '#api/testing/slow.ts';
import { testNow } from '#api/testing/test-app.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { watchDisk } from '#api/testing/watched-disk.ts';
import { damagedFiles, publishedPages } from '#api/testing/test-builds.ts';
import { inBuilds, servedBuild } from './builds.ts';
import { recordChanges } from './changes.service.ts';
import { namesIn } from './disk.ts';
import { runningPublish } from './job.service.ts';
import { checkServedBuild } from './overview.service.ts';
import { publishDue } from './publish.service.ts';
import type { PublishOutcome } from './publish.service.ts';
import type { PublishContext } from './publish-changes.service.ts';
import { startPublisher } from './publisher.service.ts';
import { projectFolder } from './source-digest.ts';

/** KILLS=all ends the publisher before each operation, some 300 times, otherwise before some. */
const every = process.env.KILLS === 'all' ? 1 : runsSlow ? 40 : 120;
/** Milliseconds that one publisher may take. All of them have no limit together: on a busy machine each takes seconds. */
const publisherMs = 60_000;
/** Publishers that are starting while another one publishes: that takes most of their time. */
const standingBy = 4;
const program = fileURLToPath(new URL('../testing/fake-publisher.ts', import.meta.url));

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-kills-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Starts a publisher process that publishes when it is told to, and is killed before its operation `diesAt` on files. */
function standby(url: string, diesAt: number, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program], {
    cwd: projectFolder,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      DIES_AT: String(diesAt),
      STANDS_BY: 'yes',
      ...environment,
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  return {
    diesAt,
    /** Returns whether it was killed. */
    async publish(): Promise<boolean> {
      const limit = setTimeout(() => child.kill(), publisherMs);
      child.stdin.end();
      const [code, signal] = await ended;
      clearTimeout(limit);
      if (code !== 0 && signal !== 'SIGKILL')
        throw new Error(`The publisher failed, or did not end in ${publisherMs} ms. ${said}`);
      return signal === 'SIGKILL';
    },
    async stop(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}

/** Calls `round` for publishers that are killed before each operation, or before some, until one survives. */
async function killEach(
  url: string,
  round: (one: ReturnType<typeof standby>) => Promise<boolean>,
  environmentOf: (diesAt: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  const start = (diesAt: number) => standby(url, diesAt, environmentOf(diesAt));
  const started = Array.from({ length: standingBy }, (_, n) => start(1 + n * every));
  try {
    for (let place = 0; await round(started[place]!); place++)
      started.push(start(started[place]!.diesAt + standingBy * every));
  } finally {
    await Promise.all(started.map((one) => one.stop()));
  }
}

/** The page at an address. */
const page = async (address: string): Promise<string> => (await publishedPages(dataDir))[address]!;

/** Publishes until nothing is due, or it fails. */
async function drain(context: PublishContext): Promise<PublishOutcome> {
  for (;;) {
    const outcome = await publishDue(context);
    if (outcome.status !== 'published') return outcome;
  }
}

async function expectComplete(db: Database): Promise<void> {
  expect(await checkServedBuild(dataDir)).toMatchObject({ missing: [], damaged: [] });
  expect(damagedFiles(dataDir)).toEqual([]);
  expect(namesIn(inBuilds(dataDir, buildFiles.drafts))).toEqual([]);
  expect(await runningPublish(db)).toBeNull();
  expect(await waitingPages(db)).toEqual([]);
}

/** As if the pause before the next attempt had passed. */
async function passPause(db: Database): Promise<void> {
  await db('jobs').where('kind', 'like', 'publish-%').update({ attempts: 0, due_at: 1, lease: null });
}

oneDatabase((open) => {
  test(
    'a publisher killed before any write or rename leaves complete pages, and the next one publishes what it did not',
    { timeout: every === 1 ? 0 : 120_000 },
    async () => {
      const { db, url } = await open();
      const ids = Array.from({ length: 2 }, (_, n) => `closed-${n}`);
      await seedPolls(
        db,
        ids.map((id, n) => ({ id, closedAt: testNow + n })),
      );
      const site = () => recordChanges(db, Date.now(), [{ kind: 'site', key: 'a test' }]);
      const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
      await site();
      await drain(context);
      for (const isSite of [false, true])
        await killEach(url, async (one) => {
          for (const id of ids) await editPoll({ db, clock }, id, { summary: `Summary ${one.diesAt} of ${id}.` });
          if (isSite) await site();
          const wasKilled = await one.publish();
          // Web servers read the served names at any moment.
          expect(damagedFiles(dataDir)).toEqual([]);
          await passPause(db);
          await drain(context);
          await expectComplete(db);
          expect(await page('/poll/closed-1')).toContain(`Summary ${one.diesAt} of`);
          return wasKilled;
        });
    },
  );

  test(
    'an edit while a new build is filled is on the site, whenever the publisher is killed',
    { timeout: every === 1 ? 0 : 120_000 },
    async () => {
      const { db, url } = await open();
      await seedPolls(
        db,
        ['tea', 'coffee'].map((id, n) => ({ id, closedAt: testNow + n })),
      );
      const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
      await recordChanges(db, Date.now(), [{ kind: 'site', key: 'a test' }]);
      await drain(context);
      const codeOf = (diesAt: number) => `code-${diesAt}`;
      await killEach(
        url,
        async (one) => {
          const { diesAt } = one;
          await recordChanges(db, Date.now(), [{ kind: 'site', key: 'new code' }]);
          const wasKilled = await one.publish();
          expect(damagedFiles(dataDir)).toEqual([]);
          await passPause(db);
          // Single changes don’t wait for the new build, in whichever build is served.
          const { summary } = await db('polls').where({ id: 'tea' }).first<{ summary: string | null }>('summary');
          context.pages.code = codeOf(diesAt);
          await drain(context);
          await expectComplete(db);
          expect(servedBuild(dataDir)).toBe(codeOf(diesAt));
          expect(await page('/poll/tea')).toContain(JSON.stringify(summary));
          if (!wasKilled) expect(summary).toBe(`Meanwhile ${codeOf(diesAt)}.`);
          return wasKilled;
        },
        (diesAt) => ({ CODE: codeOf(diesAt), EDITS: 'tea' }),
      );
    },
  );

  test(
    'a disk that is full before any write or rename leaves complete pages, and says so',
    { timeout: every === 1 ? 0 : 120_000 },
    async () => {
      const { db } = await open();
      await seedPolls(db, [{ id: 'tea', closedAt: testNow }]);
      const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
      await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
      await drain(context);
      for (let at = 1, isFull = true; isFull; at += Math.ceil(every / 4)) {
        await editPoll({ db, clock }, 'tea', { summary: `Summary ${at}.` });
        isFull = false;
        const restore = watchDisk((operation) => {
          if (operation < at) return;
          isFull = true;
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
        });
        const outcome = await drain(context);
        restore();
        if (outcome.status === 'failed') expect(outcome.error.message).toMatch(/disk/i);
        expect(damagedFiles(dataDir)).toEqual([]);
        await passPause(db);
        expect(await drain(context)).toEqual({ status: 'nothing-due' });
        await expectComplete(db);
        expect(await page('/poll/tea')).toContain(`Summary ${at}.`);
      }
    },
  );

  test('[D9.17] two services never publish at once, and the job of a dead publisher is released', slow, async () => {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'tea', closedAt: testNow }]);
    const others = [openDatabase(url), openDatabase(url)];
    const config = readConfig({ DATA_DIR: dataDir });
    vi.stubEnv('DATABASE_URL', url);
    vi.stubEnv('DATA_DIR', dataDir);
    const nextTransition = () => Promise.resolve(null);
    const publishers = others.map((other) =>
      startPublisher({
        ...{ db: other, clock, config, log: silentLogger, nextTransition },
        program: [program],
      }),
    );
    try {
      const log = () => readFile(join(dataDir, 'publishers.log'), 'utf8').catch(() => '');
      const publishes = async () =>
        [...(await log()).matchAll(/(begin|end) (\d+)/g)].map(([, word, pid]) => ({ word, pid }));
      const until = (ready: () => Promise<boolean>) =>
        vi.waitFor(async () => expect(await ready()).toBe(true), { timeout: 40_000, interval: 20 });
      // Both services lack pages.
      await until(async () => (await publishes()).some(({ word }) => word === 'end'));
      await recordChanges(db, Date.now(), [{ kind: 'site', key: 'again' }]);
      const before = (await publishes()).length;
      await until(async () => (await publishes()).length > before);
      const victim = (await publishes()).at(-1);
      if (victim?.word === 'begin') process.kill(Number(victim.pid), 'SIGKILL');
      await until(async () => (await waitingPages(db)).length === 0);
      await until(async () => (await runningPublish(db)) === null);

      const words = await publishes();
      for (const [place, { word, pid }] of words.entries()) {
        // Each end follows its own start: no other publish ran in between.
        if (word === 'end') expect(words[place - 1]).toEqual({ word: 'begin', pid });
      }
      expect(damagedFiles(dataDir)).toEqual([]);
    } finally {
      await Promise.all(publishers.map((one) => one.stop()));
      for (const other of others) await other.destroy();
      vi.unstubAllEnvs();
    }
  });
});

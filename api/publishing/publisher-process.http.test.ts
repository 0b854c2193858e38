import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock as clock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { silentLogger } from '#platform/logger.ts';
import { forgetPages } from '#api/testing/changes.ts';
import { startWork } from '#api/testing/background.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { publishedPages } from '#api/testing/test-builds.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { beginAudit, newestAudit, recordAudit } from './audit.service.ts';
import { areChangesDue, onRecorded, recordChanges } from './changes.service.ts';
import { endedPublishes } from './job.service.ts';
import { publishingOverview } from './overview.service.ts';
import { pausedSince, setPaused } from './state.service.ts';
import { publishDue } from './publish.service.ts';
import { runPublisher } from './publisher-process.ts';
import { startPublisher } from './publisher.service.ts';
import type { PublisherMessage } from './publisher.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-publisher-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const machine = vi.hoisted(() => ({ hasLittleMemory: false }));
vi.mock('#platform/little-memory.ts', async (load) => ({
  ...(await load<object>()),
  hasLittleMemory: () => machine.hasLittleMemory,
}));
afterEach(() => {
  machine.hasLittleMemory = false;
});

const nextTransition = () => Promise.resolve(null);
/** No test waits that long. */
const never = 24 * 60 * 60_000;

oneDatabase((open) => {
  test('[D9.14] a poll that ends is published by its closing, without waiting for a next check', async () => {
    const { db } = await open();
    const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
    await seedPolls(db, [{ id: 'tea', startsAt: clock.now() - never, endsAt: clock.now() + 1_000 }]);
    const stop = new AbortController();
    let wake: () => void = () => undefined;
    const publisher = runPublisher({
      ...{ context, nextTransition, stop: stop.signal, pollMs: never, send: () => undefined },
      onWake: (given) => (wake = given),
    });
    const forget = onRecorded(() => wake());
    const lifecycle = await startWork({ db, clock }, 'open-and-close');
    try {
      await vi.waitFor(async () => expect((await publishedPages(dataDir))['/poll/tea']).toMatch(/"closedAt": "/), {
        timeout: 15_000,
        interval: 20,
      });
    } finally {
      await lifecycle.stop();
      forget();
      stop.abort();
      await publisher;
    }
  });

  test('shortly before a poll closes, the pages that will show it are rendered, but not published', async () => {
    machine.hasLittleMemory = true;
    const { db } = await open();
    const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
    await seedPolls(db, [{ id: 'coffee', closedAt: clock.now() - 1 }]);
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
    const stop = new AbortController();
    const publisher = runPublisher({
      ...{ context, stop: stop.signal, send: () => undefined, onWake: () => undefined },
      nextTransition: (_, now) => Promise.resolve(now + 5_000),
    });
    try {
      const times = (address: string) => context.pages.rendered.filter((one) => one === address).length;
      const pages = ['/poll/coffee', '/', '/historical', '/historical/rss.xml', '/sitemap.xml'];
      await vi.waitFor(() => expect(Math.min(...pages.map(times))).toBeGreaterThan(2), {
        timeout: 15_000,
        interval: 20,
      });
      expect(await endedPublishes(db)).toHaveLength(1);
    } finally {
      stop.abort();
      await publisher;
    }
  });

  test('the publisher stays ready, so that a new community poll is published at once; with little memory, it ends', async () => {
    const { db } = await open();
    const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
    await seedPolls(db, [{ id: 'coffee', closedAt: clock.now() - 1 }]);
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
    const stop = new AbortController();
    const publisher = runPublisher({
      ...{ context, nextTransition, stop: stop.signal, idleMs: 1_500 },
      ...{ send: () => undefined, onWake: () => undefined },
    });
    try {
      const times = () => context.pages.rendered.filter((address) => address === '/poll/coffee').length;
      // It renders them once a second, which takes longer than it would stay idle.
      await vi.waitFor(() => expect(times()).toBeGreaterThan(4), { timeout: 15_000, interval: 20 });
      expect(await endedPublishes(db)).toHaveLength(1);
      machine.hasLittleMemory = true;
      await publisher;
    } finally {
      stop.abort();
      await publisher;
    }
  });

  test('a publish that is stopped is no failure, and the next start publishes', async () => {
    const { db } = await open();
    const config = readConfig({ DATA_DIR: dataDir });
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
    const messages: PublisherMessage[] = [];
    const send = (message: PublisherMessage) => messages.push(message);
    // Changes of publishes that fail twice in a row wait.
    for (let start = 0; start < 2; start++) {
      const stop = new AbortController();
      const context = { ...fakePublishing({ db, clock, config }), signal: stop.signal };
      context.pages.before = () => stop.abort();
      await runPublisher({ context, nextTransition, stop: stop.signal, onWake: () => undefined, send });
      expect(stop.signal.aborted).toBe(true);
    }
    expect(messages.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await endedPublishes(db)).toEqual([]);
    expect(await publishingOverview(db, dataDir)).toMatchObject({ waiting: 1, retryAt: null, builds: [] });
    expect((await publishDue(fakePublishing({ db, clock, config }))).status).toBe('published');
  });

  test('a code build that cannot be loaded is reported once, and the publisher goes on, with the audit of one that died, too', async () => {
    const { db } = await open();
    const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
    await recordChanges(db, clock.now(), [{ kind: 'site', key: 'a test' }]);
    expect((await publishDue(context)).status).toBe('published');
    await beginAudit(db, clock.now());
    const stop = new AbortController();
    let checks = 0;
    let isGone = true;
    const errors: unknown[] = [];
    const publisher = runPublisher({
      context: {
        ...context,
        renderer: (...args) => (isGone ? Promise.reject(new Error('gone')) : context.renderer(...args)),
      },
      ...{ stop: stop.signal, onWake: () => undefined, send: (message) => errors.push(message) },
      nextTransition: (_, now) => {
        checks += 1;
        return Promise.resolve(now + 365 * never);
      },
    });
    try {
      await vi.waitFor(() => expect(checks).toBeGreaterThan(2), { timeout: 15_000, interval: 20 });
      expect(errors).toEqual([{ level: 'error', text: 'could not load the code build', reason: 'gone' }]);
      isGone = false;
      await recordChanges(db, clock.now(), [{ kind: 'page', key: '/about' }]);
      const isAudited = async () => (await newestAudit(db))?.finishedAt != null;
      await vi.waitFor(async () => expect(await isAudited()).toBe(true), { timeout: 15_000, interval: 20 });
    } finally {
      stop.abort();
      await publisher;
    }
  });

  test('what is published finds the publisher ready, however long ago the last publish was', async () => {
    const { db } = await open();
    const program = join(dataDir, 'program.mjs');
    const started = join(dataDir, 'started');
    const source = (file: string) => `
      import { writeFileSync } from 'node:fs';
      process.on('SIGTERM', () => process.exit());
      process.on('disconnect', () => process.exit());
      writeFileSync(${JSON.stringify(file)}, String(process.pid));
    `;
    await writeFile(program, source(started));
    const config = readConfig({ DATA_DIR: dataDir });
    const options = { db, clock, config, log: silentLogger, program: [program] as const };
    const publisher = startPublisher({ ...options, nextTransition });
    const pid = async () => Number(await readFile(started, 'utf8'));
    const patience = { timeout: 15_000, interval: 20 };
    try {
      const first = await vi.waitFor(async () => {
        expect(await pid()).toBeGreaterThan(0);
        return pid();
      }, patience);
      await recordAudit(db, await beginAudit(db, clock.now()), { pages: 0, missed: [], finishedAt: clock.now() });
      await forgetPages(db);
      // Nothing is due any more.
      process.kill(first, 'SIGTERM');
      await vi.waitFor(async () => expect([0, first]).not.toContain(await pid()), patience);
    } finally {
      await publisher.stop();
    }
  });

  test('a pause ends where there are no pages to keep, as after a backup was restored elsewhere', async () => {
    const { db } = await open();
    const program = join(dataDir, 'program.mjs');
    await writeFile(program, "process.on('disconnect', () => process.exit());");
    await setPaused(db, clock, true);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'tea' }]);
    expect(await areChangesDue(db, clock.now())).toBe(false);
    const config = readConfig({ DATA_DIR: dataDir });
    const publisher = startPublisher({ db, clock, config, log: silentLogger, nextTransition, program: [program] });
    try {
      await vi.waitFor(async () => expect(await pausedSince(db)).toBeNull(), { timeout: 15_000, interval: 20 });
      expect(await areChangesDue(db, clock.now())).toBe(true);
    } finally {
      await publisher.stop();
    }
  });

  test('the process that publishes hears of a change when it is committed', async () => {
    const { db } = await open();
    const program = join(dataDir, 'program.mjs');
    const heard = join(dataDir, 'heard');
    const source = (file: string) => `
      import { appendFileSync } from 'node:fs';
      const note = (text) => appendFileSync(${JSON.stringify(file)}, text);
      process.on('message', () => note('a change '));
      process.on('disconnect', () => process.exit());
      note('ready ');
    `;
    await writeFile(program, source(heard));
    const config = readConfig({ DATA_DIR: dataDir });
    const publisher = startPublisher({ db, clock, config, log: silentLogger, nextTransition, program: [program] });
    const hears = (text: string) =>
      vi.waitFor(async () => expect(await readFile(heard, 'utf8')).toBe(text), { timeout: 15_000, interval: 20 });
    try {
      await hears('ready ');
      await db.transaction((trx) => recordChanges(trx, clock.now(), [{ kind: 'poll', key: 'tea' }]));
      await hears('ready a change ');
      await expect(
        db.transaction(async (trx) => {
          await recordChanges(trx, clock.now(), [{ kind: 'poll', key: 'coffee' }]);
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'tea' }]);
      await hears('ready a change a change ');
    } finally {
      await publisher.stop();
    }
  });
});

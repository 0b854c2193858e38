import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { headerText } from '#site/client/api.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { holdJob } from '#api/publishing/job.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

let dataDir: string;
let app: TestApp | undefined;

async function start(db: Database, options: Partial<Parameters<typeof startTestApp>[1]> = {}): Promise<TestApp> {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-admin-'));
  app = await startTestApp(db, { ...options, config: { dataDir, ...options.config } });
  return app;
}

afterEach(async () => {
  await app?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A request with an admin password, by default the right one. */
async function call(
  path: string,
  {
    json,
    password = testAdminPassword,
    from,
    method = json === undefined ? 'GET' : 'POST',
  }: { json?: object; password?: string | null; from?: string; method?: string } = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await app!.fetch(path, {
    method,
    headers: {
      ...(password !== null && { 'x-admin-password': headerText(password) }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: response.status, body, headers: response.headers };
}

const open = (password: string, from?: string) =>
  call('/api/admin/session', { json: { password }, password: null, ...(from !== undefined && { from }) });

oneDatabase((openDatabase) => {
  describe('the admin password', () => {
    test('[D9.3] opens the panel when it is right and is refused when it is wrong', async () => {
      await start((await openDatabase()).db);
      expect((await open(testAdminPassword)).status).toBe(204);
      const wrong = await open('guess');
      expect([wrong.status, wrong.body.code]).toEqual([401, 'ADMIN_REQUIRED']);
      expect(wrong.body.message).toBe('The admin password is incorrect.');
      expect((await open('')).status).toBe(400);
    });

    test('[S6.5 D9.1] is required by every operator endpoint', async () => {
      await start((await openDatabase()).db);
      const bodies: Record<string, object> = {
        moderate: { action: 'hide', kind: 'poll', ids: ['x1'], reason: 'Spam' },
        decideAppeal: { granted: true, reason: 'Yes' },
        featureCommunityPoll: { featured: true },
        editPoll: { question: 'Why?' },
        saveDraft: { version: 1, question: 'Why?' },
        publishDraft: { version: 1 },
        restorePoll: { publishedAt: new Date(0).toISOString(), from: 1 },
        deletePoll: { reason: 'Spam' },
        setRecurrence: { rule: null },
        switchChallenge: { challenge: 'on' },
        raiseProtection: { protection: 'check' },
        decideFlag: { flag: 'none' },
        decideVotes: { action: 'release' },
        createWebhook: { url: 'https://hooks.example.com/', events: ['poll.opened'] },
        changeWebhook: { paused: true },
        confirmStep: { confirmed: true },
        dismissChecklist: { dismissed: true },
        setDeskMail: { on: true },
        sendTestMail: { email: 'me@example.com' },
        createArticle: { name: 'x1', title: 'T' },
        saveContent: { version: 1, head: {}, text: '' },
        previewContent: { head: {}, text: '' },
        restoreContent: { version: 1, from: 1 },
        answerNewerFile: { version: 1, use: true },
        ...Object.fromEntries(
          ['deleteContent', 'publishContent', 'unpublishContent', 'reviewContent'].map((name) => [
            name,
            { version: 1 },
          ]),
        ),
      };
      // Found by path, independent of their declarations; the sign-in endpoint has the password in its body.
      const calls = Object.entries(endpoints).filter(
        ([name, { path }]) => path.startsWith('/api/admin/') && name !== 'adminSession',
      );
      expect(calls.length).toBeGreaterThan(10);
      for (const [name, { method, path }] of calls) {
        const address = path
          .replace(/(imports|moderation)\/:id/, '$1/1')
          .replace(/:(number|version|delivery)/g, '1')
          .replace(':folder', 'blog')
          .replace(':step', 'backup')
          .replace(/:\w+/g, 'x1');
        for (const password of [null, 'guess']) {
          const json = method === 'GET' ? {} : { json: bodies[name] ?? {} };
          const { status, body } = await call(address, { ...json, password, method });
          expect([name, status, body.code]).toEqual([name, 401, 'ADMIN_REQUIRED']);
        }
      }
    });

    test('[D9.2] can be guessed five times a minute from one address, across all endpoints', async () => {
      const { db } = await openDatabase();
      const clock = fixedClock(testNow);
      await start(db, { clock, config: { rateLimit: true } });
      expect((await open(testAdminPassword)).status).toBe(204);
      for (let n = 0; n < 3; n += 1) expect((await open(`guess ${n}`)).status).toBe(401);
      expect((await call('/api/admin/publishing', { password: null })).status).toBe(401);
      expect((await call('/api/admin/publishing', { password: 'guess 3' })).status).toBe(401);
      expect((await call('/api/admin/publishing', { password: 'guess 4' })).status).toBe(401);

      const sixth = await open('guess 5');
      expect([sixth.status, sixth.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
      // The right one, too, or guessing could continue past the limit; from elsewhere it is accepted.
      expect((await open(testAdminPassword)).status).toBe(429);
      expect((await call('/api/admin/publishing')).status).toBe(429);
      expect((await open(testAdminPassword, '203.0.113.7')).status).toBe(204);
      clock.set(testNow + 61_000);
      expect((await open(testAdminPassword)).status).toBe(204);
    });

    test('[D9.2] concurrent guesses count like consecutive ones', async () => {
      await start((await openDatabase()).db, { config: { rateLimit: true } });
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => open(`guess ${n}`)));
      expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(7);
    });

    test('[D9.2] can be guessed ten times in 15 minutes from one network, across its addresses', async () => {
      await start((await openDatabase()).db, { config: { rateLimit: true } });
      const { points } = rateLimits.adminFailuresFromSubnet;
      const statuses: number[] = [];
      for (let n = 0; n < points + 3; n += 1) {
        const { status } = await open('guess', `2001:db8:7:${n.toString(16)}::1`);
        statuses.push(status);
      }
      expect(statuses).toEqual([...Array<number>(points).fill(401), 429, 429, 429]);
      expect((await open(testAdminPassword, '2001:db8:7:ff::1')).status).toBe(429);
      expect((await open(testAdminPassword, '2001:db8:8::1')).status).toBe(204);
    });

    test('[D9.2] can be guessed twenty times a minute and a hundred times an hour in total; the operator’s own address is not affected', async () => {
      const { db } = await openDatabase();
      const clock = fixedClock(testNow);
      await start(db, { clock, config: { rateLimit: true } });
      expect((await open(testAdminPassword, '198.51.100.7')).status).toBe(204);
      let network = 0;
      const guessUntilRefused = async () => {
        for (let guesses = 0; ; guesses += 1) {
          network += 1;
          const { status } = await open('guess', `2001:db8:${network.toString(16)}::1`);
          if (status !== 401) return [guesses, status];
        }
      };
      for (const minute of [0, 1, 2, 3, 4]) {
        clock.set(testNow + minute * 61_000);
        expect(await guessUntilRefused()).toEqual([20, 429]);
      }
      clock.set(testNow + 40 * 60_000);
      expect(await guessUntilRefused()).toEqual([0, 429]);
      expect((await open(testAdminPassword, '203.0.113.9')).status).toBe(429);
      expect((await call('/api/admin/publishing', { from: '203.0.113.9' })).status).toBe(429);
      expect((await open(testAdminPassword, '198.51.100.7')).status).toBe(204);
      expect((await open('a slip', '198.51.100.7')).status).toBe(401);

      // Another process has not cached the password but knows the address.
      await app?.close();
      await start(db, { clock, config: { rateLimit: true } });
      expect((await open(testAdminPassword, '203.0.113.9')).status).toBe(429);
      expect((await open(testAdminPassword, '198.51.100.7')).status).toBe(204);
      clock.set(testNow + 61 * 60_000);
      expect((await open(testAdminPassword, '203.0.113.9')).status).toBe(204);
    });

    test('an address that the operator uses stays known, and an unused one is forgotten after 30 days', async () => {
      const { db } = await openDatabase();
      const clock = fixedClock(testNow);
      await start(db, { clock, config: { rateLimit: true } });
      const days = (count: number) => testNow + count * 86_400_000;
      await open(testAdminPassword, '198.51.100.7');
      await open(testAdminPassword, '203.0.113.9');
      clock.set(days(20));
      await open(testAdminPassword, '198.51.100.7');
      clock.set(days(40));
      for (let n = 0; n < 20; n += 1) await open('guess', `2001:db8:${n.toString(16)}::1`);
      expect((await open(testAdminPassword, '198.51.100.7')).status).toBe(204);
      expect((await open(testAdminPassword, '203.0.113.9')).status).toBe(429);
    });

    test('logs a warning for each wrong password, with the network but neither the address nor the password', async () => {
      const lines: string[] = [];
      const log = createLogger('api', {
        level: 'warn',
        json: true,
        destination: { write: (line) => void lines.push(line) },
      });
      await start((await openDatabase()).db, { log, config: { rateLimit: true } });
      await open(testAdminPassword, '198.51.100.7');
      expect(lines).toEqual([]);
      await open('a slip', '198.51.100.7');
      for (let n = 0; n < 7; n += 1)
        await call('/api/admin/publishing', { password: 'guess', from: '2001:db8:7:5::9' });
      const entries = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
      expect(entries.map(({ level, msg }) => [level, msg])).toEqual([
        [40, 'wrong admin password from an address the operator has used in 198.51.100.0/24'],
        // Limited requests are not guesses and don't flood the log.
        ...Array<unknown>(5).fill([40, 'wrong admin password from an unknown address in 2001:db8:7::/48']),
      ]);
      for (const secret of ['198.51.100.7', '2001:db8:7:5', 'a slip', 'guess'])
        expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    });

    test('many requests with the right password never count as guesses', async () => {
      await start((await openDatabase()).db, { config: { rateLimit: true } });
      expect((await open(testAdminPassword)).status).toBe(204);
      const answers = await Promise.all(Array.from({ length: 20 }, () => call('/api/admin/publishing')));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    });
  });

  describe('publishing', () => {
    const publishing = async () => (await call('/api/admin/publishing')).body as unknown as Publishing;

    test('[D9.14] publishing can be requested, and changes that wait are counted', async () => {
      const { db } = await openDatabase();
      await start(db);
      expect(await publishing()).toMatchObject({ waiting: 0, builds: [], pausedSince: null, audit: null });
      expect((await call('/api/admin/builds', { json: {} })).status).toBe(202);
      await call('/api/admin/builds', { json: { force: true } });
      expect(await publishing()).toMatchObject({ waiting: 2 });
      expect(await waitingPages(db).orderBy('id').pluck('kind')).toEqual(['content', 'site']);
      expect((await call('/api/admin/builds', { json: { force: 'yes' } })).status).toBe(400);
    });

    test('[D9.14] shows the progress of the running publish and why the last one failed', async () => {
      const { db } = await openDatabase();
      await start(db);
      const job = await holdJob({ db, clock: fixedClock(testNow) }, () => [{ kind: 'poll', key: 'tea' }]);
      job!.report({ step: 'pages', done: 12, total: 40 });
      await job!.confirmed(() => undefined);
      expect((await publishing()).builds[0]).toMatchObject({
        ...{ status: 'running', reason: 'poll tea', step: 'pages', done: 12, total: 40, error: null },
      });
      await job!.fail(new Error('The disk is full.'));
      expect((await publishing()).builds[0]).toMatchObject({ status: 'failed', error: 'The disk is full.' });
    });

    test('while publishing is paused, nothing is published until it is resumed', async () => {
      const { db } = await openDatabase();
      await start(db);
      const paused = await call('/api/admin/publishing/pause', { json: {} });
      expect([paused.status, (await publishing()).pausedSince]).toEqual([200, new Date(testNow).toISOString()]);
      const refused = await call('/api/admin/builds', { json: {} });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'Publishing is paused. Resume it first; that publishes everything since.',
      ]);
      expect(await waitingPages(db)).toEqual([]);
      for (const waiting of [1, 1]) {
        const resumed = (await call('/api/admin/publishing/pause', { method: 'DELETE' })).body as unknown as Publishing;
        expect([resumed.pausedSince, resumed.waiting]).toEqual([null, waiting]);
      }
    });
  });

  describe('moderation', () => {
    async function discussion(db: Database): Promise<void> {
      for (const id of ['ann', 'ben']) await seedMember(db, id);
      await seedDiscussedPoll(db, { id: 'poll-1', createdBy: 'ann' });
      await seedDiscussedPoll(db, { id: 'hidden-1', createdBy: 'ann', visibility: 'unlisted' });
    }
    test('public community polls can be featured and unfeatured; others can’t', async () => {
      const { db } = await openDatabase();
      await start(db);
      await discussion(db);
      const feature = (id: string, featured: boolean) =>
        call(`/api/admin/community-polls/${id}/featured`, { json: { featured } });
      const featuredIds = () => db('community_polls').where('featured', true).pluck('id');
      expect((await feature('poll-1', true)).status).toBe(204);
      expect(await featuredIds()).toEqual(['poll-1']);
      expect((await feature('poll-1', false)).status).toBe(204);
      expect(await featuredIds()).toEqual([]);
      const unlisted = await feature('hidden-1', true);
      expect([unlisted.status, unlisted.body.message]).toEqual([400, 'Only public community polls can be featured.']);
      expect((await feature('nothing', true)).status).toBe(404);
    });
  });
});

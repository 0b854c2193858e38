import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import { publishTexts } from '#api/testing/test-builds.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import { storedVotes } from '#api/testing/votes.ts';
import { createLogger } from '#platform/logger.ts';
import { headerText } from '#site/client/api.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Enough pages for votes to come in while they are written. */
const reports = Array.from({ length: 100 }, (_, n) => `/poll/report-${n}`);

eachDatabase((open, _engine, once) => {
  /** Both services; `lines` is the API’s log. */
  const start = async () => {
    const { db } = await open();
    const lines: string[] = [];
    const log = createLogger('api', { json: true, destination: { write: (line) => void lines.push(line) } });
    const api = await startTestApp(db, { log });
    cleanUps.push(() => api.close());
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-to-the-api-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    const site = await startTestSite(folder, { apiOrigin: api.origin });
    cleanUps.push(() => site.close());
    const origin = `http://127.0.0.1:${site.port}`;
    const send = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });
    const throughSite = { ...api, fetch: (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init) };
    return { db, send, api, lines, folder, throughSite };
  };

  test('through the site, metrics require the admin password', async () => {
    const { send, api } = await start();
    expect((await send('/api/metrics')).status).toBe(401);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect([name, (await send('/api/metrics', { [name]: '127.0.0.1' })).status]).toEqual([name, 401]);
    expect((await send('/api/metrics', { 'x-admin-password': headerText(testAdminPassword) })).status).toBe(200);
    expect((await api.fetch('/api/metrics')).status).toBe(200);
  });

  test('a request has the same id in the site’s response and in the API’s log', async () => {
    const { send, lines } = await start();
    const answers = [await send('/api/nothing'), await send('/api/nothing', { 'x-request-id': 'from-our-proxy-1' })];
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(ids[1]).toBe('from-our-proxy-1');
    expect(lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(ids);
  });

  once('every vote cast while pages and builds are replaced gets a response and is counted', async () => {
    const { db, send, folder, throughSite } = await start();
    await seedPolls(db, [{ id: 'tea' }]);
    const texts = (text: string) => Object.fromEntries(reports.map((address) => [address, text]));
    await publishTexts(folder, texts('first'));
    const answers: number[] = [];
    let isOver = false;
    const voting = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const response = await visitor(throughSite).fetch('/api/polls/tea/vote', {
          method: 'POST',
          json: { optionId: 'o1' },
        });
        answers.push(response.status);
      }
    });
    try {
      for (const text of ['second', 'third', 'fourth']) {
        const before = answers.length;
        await publishTexts(folder, texts(text), { build: text });
        expect(await (await send(reports[0]!)).text()).toBe(text);
        // Votes came in meanwhile.
        await vi.waitFor(() => expect(answers.length).toBeGreaterThan(before), { timeout: 10_000 });
      }
    } finally {
      isOver = true;
      await Promise.all(voting);
    }
    expect(new Set(answers)).toEqual(new Set([200]));
    const { total_votes: counted } = await db('ballots').where({ id: 'tea' }).first<{ total_votes: number }>();
    expect([counted, (await storedVotes(db)).length]).toEqual([answers.length, answers.length]);
  });
});

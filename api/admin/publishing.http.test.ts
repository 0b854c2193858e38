import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { headerText } from '#site/client/api.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

let dataDir: string;
let app: TestApp;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-publishing-'));
});
afterEach(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await app.fetch(path, {
    ...init,
    headers: { 'x-admin-password': headerText(testAdminPassword), 'content-type': 'application/json' },
  });
  expect(response.ok).toBe(true);
  return response;
};
const state = async () => (await (await call('/api/admin/publishing')).json()) as Publishing;

/** A site with an open and a closed poll that is published. */
async function started(db: Database) {
  const config = readConfig({ DATA_DIR: dataDir });
  const clock = fixedClock(testNow);
  app = await startTestApp(db, { clock, config });
  await seedPolls(db, [
    { id: 'tea', question: 'Tea or coffee?' },
    { id: 'milk', question: 'Milk first?', isActive: false },
  ]);
  const context = fakePublishing({ db, clock, config });
  await recordChanges(db, testNow, [{ kind: 'site', key: 'a test' }]);
  expect(await publishDue(context)).toMatchObject({ status: 'published' });
  return context;
}

oneDatabase((open) => {
  test('each publish says what changed with the poll’s question, and when', async () => {
    const context = await started((await open()).db);
    await call('/api/admin/polls/tea/close', { method: 'POST' });
    expect(await state()).toMatchObject({ waiting: 1 });
    await publishDue(context);

    const { builds } = await state();
    const about = [{ kind: 'poll', event: 'closed', count: 1, subjects: [{ key: 'tea', title: 'Tea or coffee?' }] }];
    expect(builds[0]).toMatchObject({ status: 'succeeded', about, isUnchanged: false });
    expect(builds[1]!.about).toEqual([
      { kind: 'site', event: null, count: 1, subjects: [{ key: 'a test', title: null }] },
    ]);
    // A deleted poll keeps its name here, unless nobody knows it.
    await call('/api/admin/polls/tea', { method: 'DELETE', body: JSON.stringify({ reason: 'Asked twice.' }) });
    await context.db('polls').where({ id: 'milk' }).del();
    await recordChanges(context.db, testNow, [{ kind: 'poll', key: 'milk', event: 'removed' }]);
    await publishDue(context);
    const gone = (await state()).builds[0]!.about.filter(({ kind, event }) => kind === 'poll' && event === 'removed');
    expect(gone.map(({ subjects }) => subjects)).toEqual([
      [
        { key: 'tea', title: 'Tea or coffee?' },
        { key: 'milk', title: null },
      ],
    ]);
  });

  test('a publish names edits and closed polls separately, and says which page failed', async () => {
    const context = await started((await open()).db);
    const edit = (id: string, json: object) =>
      call(`/api/admin/polls/${id}`, { method: 'PATCH', body: JSON.stringify(json) });
    await edit('tea', { question: 'Green tea or coffee?' });
    await edit('milk', { description: 'In the cup.' });
    await call('/api/admin/polls/tea/close', { method: 'POST' });
    context.pages.before = (address) => {
      if (address === '/poll/milk') throw new Error('no template');
    };
    await publishDue(context);
    expect(await state()).toMatchObject({ retryAt: null });
    await publishDue(context);
    expect(await state()).toMatchObject({ retryAt: new Date(testNow + 10_000).toISOString() });

    const { builds } = await state();
    expect(builds[1]).toMatchObject({ status: 'failed', isUnchanged: false });
    expect(builds[1]!.error).toContain('/poll/milk could not be rendered: no template');
    expect(builds[1]!.about.map(({ event, subjects }) => [event, ...subjects.map(({ title }) => title)])).toEqual([
      ['edited', 'Green tea or coffee?', 'Milk first?'],
      ['closed', 'Green tea or coffee?'],
    ]);
  });
});

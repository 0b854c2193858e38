import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { fakePublishing } from '#api/testing/fake-renderer.ts';
import { publishedPages } from '#api/testing/test-builds.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { testNow } from '#api/testing/test-app.ts';
import { auditEveryMs, isAuditDue, newestAudit, startAudit } from './audit.service.ts';
import { recordChanges } from './changes.service.ts';
import { publishDue } from './publish.service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-audit-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const page = async (address: string): Promise<string | null> => (await publishedPages(dataDir))[address] ?? null;

/** A published site; `audit` runs a whole round and returns the logged addresses. */
async function createSite(db: Database) {
  const clock = fixedClock(testNow);
  await seedPolls(db, [
    ...Array.from({ length: 40 }, (_, n) => ({ id: `p${n}`, closedAt: testNow - n })),
    { id: 'open' },
  ]);
  const context = fakePublishing({ db, clock, config: readConfig({ DATA_DIR: dataDir }) });
  await recordChanges(db, testNow, [{ kind: 'site', key: 'a test' }]);
  const drain = async () => {
    while ((await publishDue(context)).status === 'published');
  };
  await drain();
  const audit = async () => {
    const logged: string[] = [];
    const log = { error: (facts: object) => void logged.push((facts as { address: string }).address) };
    const code = await context.codeBuild(new AbortController().signal);
    const round = await startAudit(context, code, log);
    const renderer = await context.renderer(code.folder, false);
    // As the publisher process does: a step while nothing is due.
    while (!(await round.step(renderer))) await drain();
    await drain();
    return logged.sort();
  };
  return { clock, context, audit, drain };
}

oneDatabase((open) => {
  test('the audit reports a change that nobody recorded, and the page is published', async () => {
    const { db } = await open();
    const { audit } = await createSite(db);
    expect(await audit()).toEqual([]);
    // Forgotten: a text, a poll that is gone, and one that is new.
    await db('polls').where({ id: 'p20' }).update({ summary: 'Changed behind the publisher’s back.' });
    await db('ballots').where({ id: 'p30' }).del();
    await seedPolls(db, [{ id: 'forgotten', closedAt: testNow - 1_000 }]);
    const missed = await audit();
    expect(missed).toEqual(expect.arrayContaining(['/poll/forgotten', '/poll/p20', '/poll/p30']));
    expect(await newestAudit(db)).toMatchObject({
      finishedAt: expect.any(String) as string,
      pages: expect.any(Number) as number,
    });
    expect((await newestAudit(db))?.missed.sort()).toEqual(missed);
    expect(await page('/poll/p20')).toContain('behind the publisher’s back');
    expect([await page('/poll/p30'), (await page('/poll/forgotten')) === null]).toEqual([null, false]);
    expect(await audit()).toEqual([]);
  });

  test('votes on open polls, and changes that are recorded but not published yet, are not reported', async () => {
    const { db } = await open();
    const { clock, audit } = await createSite(db);
    await db('ballots').where({ id: 'open' }).update({ total_votes: 5 });
    await editPoll({ db, clock }, 'p3', { summary: 'Recorded.' });
    expect(await audit()).toEqual([]);
  });

  test('a change that can’t be published does not hide others that nobody recorded', async () => {
    const { db } = await open();
    const { clock, context, audit } = await createSite(db);
    context.pages.before = (address) => {
      if (address === '/poll/p3') throw new Error('a field is missing');
    };
    await editPoll({ db, clock }, 'p3', { summary: 'Recorded.' });
    for (let attempt = 0; attempt < 2; attempt += 1) await publishDue(context);
    await db('polls').where({ id: 'p20' }).update({ summary: 'Not recorded.' });
    expect(await audit()).toEqual(['/poll/p20']);
  });

  test('pages with live figures are not published again', async () => {
    const { db } = await open();
    const { context, audit } = await createSite(db);
    const before = [await page('/'), await page('/community-polls')];
    context.pages.list = (address) =>
      Promise.resolve(['/', '/community-polls'].includes(address) ? '<p>12 votes</p>' : '');
    expect(await audit()).toEqual([]);
    expect([await page('/'), await page('/community-polls')]).toEqual(before);
  });

  test('a round begins once a day', async () => {
    const { db } = await open();
    const { audit } = await createSite(db);
    await audit();
    const startedAt = Date.parse((await newestAudit(db))!.startedAt);
    const due = (now: number) => isAuditDue({ started_at: startedAt }, now);
    expect([isAuditDue(null, testNow), due(startedAt + auditEveryMs), due(startedAt + auditEveryMs + 1)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

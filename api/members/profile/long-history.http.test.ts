import { afterEach, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Profile } from './profile.contract.ts';
import { ask } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { addLongHistory } from '#api/testing/long-history.ts';
import { registered } from '#api/testing/people.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { countsByDay, newestActivities } from './timeline.service.ts';

const many = 100_000;

/** Scans of the tables that are long here. */
const scans = /(SCAN|Seq Scan on) events\b/;
const sorts = /USE TEMP B-TREE|"Sort/;

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    // Other members, so that an index is cheaper than a scan.
    for (let n = 0; n < 3; n++) await registered(app, `other-${n}`);
    await ask(anna, '/api/user/summary');
    await addLongHistory(db, anna.user.id, many, testNow);
    await ask(anna, '/api/user/summary');
    return { db, app, anna, userId: anna.user.id };
  }

  test(`with ${many.toLocaleString('en-US')} activities each page is read from an index`, async () => {
    const { db, userId } = await start();
    for (const type of [undefined, 'comment'] as const)
      for (const before of [null, { day: Math.floor((testNow - 6e9) / 86_400_000), id: 50_000 }]) {
        const page = { type, before, limit: limits.activityPageSize };
        const rows = await newestActivities(db, userId, page);
        expect(rows).toHaveLength(limits.activityPageSize);
        const plan = await plansOf(db, () => newestActivities(db, userId, page));
        expect(plan).toMatch(/events_of_member/);
        expect(plan).not.toMatch(scans);
        expect(plan).not.toMatch(sorts);
      }
    expect(await plansOf(db, () => countsByDay(db, userId, 20_000))).not.toMatch(scans);
  }, 60_000);

  test('no profile endpoint reads what others did, and none writes', async () => {
    const { db, anna } = await start();
    const statements: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    for (const path of ['profile', 'summary', 'activities', 'activities?type=vote', 'activity-days', 'badges']) {
      const plans = await plansOf(db, async () => {
        expect((await ask(anna, `/api/user/${path}`)).status, path).toBe(200);
      });
      expect(plans, path).not.toMatch(scans);
    }
    expect(statements.filter((sql) => /^(insert|update|delete|begin)/i.test(sql))).toEqual([]);
    const { body } = await ask<Profile>(anna, '/api/user/profile');
    expect(body.stats).toMatchObject({ votes: 90_000, comments: 10_000 });
  }, 60_000);
});

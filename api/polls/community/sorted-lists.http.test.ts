import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { rankPolls, trendAfter } from './ranking.service.ts';

const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  const listed = async (by: Visitor, query: string) => {
    const { body } = await ask<CommunityPoll[]>(by, `/api/community-polls?${query}`);
    const { body: count } = await ask<{ total: number }>(by, `/api/community-polls/count?${query}`);
    expect(count.total, query).toBe(body.length);
    return body.map(({ question }) => question).join(' ');
  };

  test('lists are sorted by votes, trend, and end, and filtered by state, category, and what the reader voted on', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const { clock } = app;
    const anna = await registered(app, 'anna');
    const voters = Array.from({ length: 4 }, () => visitor(app!));
    const ids: Record<string, string> = {};
    const make = async (question: string, more: object = {}) =>
      (ids[question] = (await made(anna, { question, ...more })).id);
    const vote = async (question: string, by: readonly Visitor[]) => {
      for (const voter of by) expect((await castVote(voter, ids[question]!)).status).toBe(200);
    };
    await make('Old', { category: 'Science' });
    await make('Soon', { endsAt: iso(testNow + 8 * day) });
    await make('Later', { endsAt: iso(testNow + 9 * day) });
    await make('Over', { endsAt: iso(testNow + day) });
    await make('Hidden', { visibility: 'unlisted' });
    await vote('Old', voters);
    await vote('Over', voters.slice(0, 3));
    expect(await rankPolls({ db, clock })).toBe(2);
    clock.set(testNow + 7 * day);
    await closeDue({ db, clock });
    await make('New');
    await vote('Soon', voters.slice(0, 2));
    expect([await rankPolls({ db, clock }), await rankPolls({ db, clock })]).toEqual([1, 0]);

    const reader = visitor(app);
    expect(await listed(reader, '')).toMatch(/^New /);
    expect(await listed(reader, 'sort=most-voted')).toMatch(/^Old Over Soon New /);
    expect(await listed(reader, 'sort=trending')).toMatch(/^Soon New /);
    expect(await listed(reader, 'sort=ending-soon')).toBe('Soon Later');
    expect(await listed(reader, 'state=closed')).toBe('Over');
    expect(await listed(reader, 'state=open&category=Science&sort=trending')).toBe('Old');
    expect((await listed(voters[0]!, 'state=unvoted')).split(' ').toSorted()).toEqual(['Later', 'New']);
    expect((await listed(voters[3]!, 'state=unvoted')).split(' ').toSorted()).toEqual(['Later', 'New', 'Soon']);
    expect((await listed(anna, 'visibility=mine&state=open')).split(' ')).toContain('Hidden');
    // A new end moves it in the list at once.
    await ask(anna, `/api/community-polls/${ids.Later}`, 'PATCH', { endsAt: iso(testNow + 7.5 * day) });
    expect(await listed(reader, 'sort=ending-soon')).toBe('Later Soon');
  });

  test('the list of invitations has the private polls that a member is invited to, and needs an account', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { question: 'Private', visibility: 'private' });
    await made(anna, { question: 'Secret', visibility: 'private' });
    expect(await listed(ben, 'visibility=invited')).toBe('');
    await invited(anna, id, 'ben');
    expect(await listed(ben, 'visibility=invited')).toBe('Private');
    for (const path of ['', '/count']) {
      const { body } = await ask(visitor(app), `/api/community-polls${path}?visibility=invited`);
      expect(body.code).toBe('UNAUTHENTICATED');
    }
  });
});

test('a vote counts twice as much as one a day earlier, and votes set aside change no trend', () => {
  const [today, tomorrow] = [20_000_000_000, 20_001_000_000];
  const [early, late] = [trendAfter(today, 2, today), trendAfter(today, 1, tomorrow)];
  // Both start with one vote of today’s, which is half a vote tomorrow.
  expect(early).toBe(Math.round(today + 1_000_000 * Math.log2(3)));
  expect(late).toBe(early);
  expect(trendAfter(early, -2, today)).toBe(early);
});

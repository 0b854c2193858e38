import { afterEach, expect, test } from 'vitest';
import type { NewBadge, UserSummary } from '#api/members/accounts/accounts.contract.ts';
import { badgeKeys } from './badges.contract.ts';
import * as limits from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { badgeTrackerSchema, profileSchema } from '#api/members/profile/profile.contract.ts';
import type { BadgeTracker, Profile } from '#api/members/profile/profile.contract.ts';
import { trackedBadges } from '#domain/badges/rules.ts';
import { openDatabase } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const isTracker = compileSchema<BadgeTracker>(badgeTrackerSchema, 'json');
const isProfile = compileSchema<Profile>(profileSchema, 'json');
const vote = (browser: Visitor, poll: string) => ask(browser, `/api/polls/${poll}/vote`, 'POST', { optionId: 'o1' });

async function tracker(browser: Visitor): Promise<BadgeTracker> {
  const { body } = await ask<BadgeTracker>(browser, '/api/user/badges');
  expect(isTracker(body), JSON.stringify(isTracker.errors)).toBe(true);
  return body;
}
const newBadges = async (browser: Visitor) => (await ask<UserSummary>(browser, '/api/user/summary')).body.newBadges;
const announce = (browser: Visitor, keys: readonly string[]) =>
  ask<NewBadge[]>(browser, '/api/user/badges/announced', 'POST', { badges: keys });

eachDatabase((open, engine, once) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db, url } = await open();
    await seedPolls(
      db,
      Array.from({ length: 12 }, (_, n) => ({ id: `p${n}` })),
    );
    const app = await startTestApp(db, options);
    closing.push(() => app.close());
    return { db, url, app };
  }
  async function secondProcess(url: string): Promise<TestApp> {
    const db = openDatabase(url);
    const app = await startTestApp(db);
    closing.push(
      () => db.destroy(),
      () => app.close(),
    );
    return app;
  }

  once('[S3.16 D7.4] the tracker shows every tracked badge with its progress and what is missing', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    for (let n = 0; n < 9; n++) await vote(anna, `p${n}`);
    const before = await tracker(anna);
    expect(before.badges).toHaveLength(48);
    // All tracked badges, and the hidden one she has as an early adopter.
    expect(before.badges.map(({ key }) => key)).toEqual(
      badgeKeys.filter((key) => trackedBadges.includes(key) || key === 'early_adopter'),
    );
    const badge = ({ badges: all }: BadgeTracker, key: string) => all.find((one) => one.key === key);
    expect(badge(before, 'votes_10')).toEqual({
      key: 'votes_10',
      category: 'voting',
      tier: 'core',
      earnedAt: null,
      current: 9,
      target: 10,
      percent: 90,
      remaining: 1,
    });
    expect(before.overall).toEqual({ earned: 2, total: 54, percent: 3 });
    expect(before.tracked).toEqual({ earned: 1, total: 47, percent: 2 });
    app.clock.set(testNow + 61_000);
    await vote(anna, 'p9');
    const after = await tracker(anna);
    expect(badge(after, 'votes_10')).toMatchObject({
      earnedAt: '2026-11-20T12:01:00.000Z',
      current: 10,
      percent: 100,
      remaining: 0,
    });
    expect(badge(after, 'votes_100')).toMatchObject({ current: 10, percent: 10, remaining: 90 });
    // Ten votes on one day earn a badge, too.
    expect(after.categories).toEqual([
      { category: 'voting', earned: 2, total: 9, percent: 22 },
      { category: 'creator', earned: 0, total: 8, percent: 0 },
      { category: 'activity', earned: 0, total: 10, percent: 0 },
      { category: 'community', earned: 0, total: 7, percent: 0 },
      { category: 'fun', earned: 1, total: 10, percent: 10 },
    ]);
  });

  test('a day of only reading counts at once, so cake day is earned on the day', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    const on = async (date: string) => {
      app.clock.set(`${date}T00:00:00Z`);
      const { badges: all } = await tracker(await signedIn(app, 'anna'));
      return all.find(({ key }) => key === 'cake_day')?.remaining;
    };
    expect([await on('2027-11-19'), await on('2027-11-20')]).toEqual([1, 0]);
  });

  once('seven days in a row are a streak, announced on the seventh', async () => {
    const { app } = await start();
    await registered(app, 'anna');
    for (let day = 1; day < 7; day++) {
      app.clock.set(testNow + day * 86_400_000);
      const keys = (await newBadges(await signedIn(app, 'anna'))).map(({ key }) => key);
      expect([day, keys.includes('streak_7')]).toEqual([day, day === 6]);
    }
  });

  test('of many tabs and processes, one announces a new badge', async () => {
    const { url, app } = await start();
    const anna = await registered(app, 'anna');
    await vote(anna, 'p0');
    const fresh = await newBadges(anna);
    expect(fresh.map(({ key }) => key)).toEqual(['early_adopter', 'votes_1']);
    const others = engine === 'PostgreSQL' ? [app, await secondProcess(url)] : [app];
    const tabs = await Promise.all(Array.from({ length: 10 }, (_, n) => signedIn(others[n % others.length]!, 'anna')));
    const answers = await Promise.all(tabs.map((tab) => announce(tab, ['votes_1', 'early_adopter', 'mega_poll'])));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.flatMap(({ body }) => body).map(({ key }) => key)).toHaveLength(2);
    expect(answers.flatMap(({ body }) => body)).toEqual(expect.arrayContaining(fresh));
    expect(await newBadges(anna)).toEqual([]);
    // Another member's announcements are not affected.
    expect((await newBadges(await registered(app, 'ben'))).map(({ key }) => key)).toEqual(['early_adopter']);
  });

  once('an invalid list of badges is refused', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    for (const keys of [[], ['golden_duck'], Array(limits.badges + 1).fill('votes_1')])
      expect((await announce(anna, keys)).status).toBe(400);
    expect((await announce(visitor(app), ['votes_1'])).status).toBe(401);
    expect(await newBadges(anna)).toHaveLength(1);
  });

  once('a badge awarded by hand is shown as complete', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    await db('badges').insert({ user_id: anna.user.id, badge_type: 'mega_poll', earned_at: testNow });
    const shown = (await tracker(anna)).badges.find(({ key }) => key === 'mega_poll');
    expect(shown).toMatchObject({ current: 1_000, percent: 100, remaining: 0, earnedAt: '2026-11-20T12:00:00.000Z' });
  });

  test('[S1.13 S2.105 S3.17 S7.9 S9.15] the profile shows the member, recent activities, own polls, badges, and totals', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna', { firstName: 'Anna', email: 'anna@example.org' });
    const ben = await registered(app, 'ben');
    await made(ben);
    for (let n = 0; n < 7; n++) {
      app.clock.set(testNow + n * 60_000);
      await made(anna, { visibility: n === 6 ? 'private' : 'public', question: `Question ${n}?` });
      app.clock.set(testNow + n * 60_000 + 1_000);
      await vote(anna, `p${n}`);
    }
    const theirs = await made(ben);
    app.clock.set(testNow + 7 * 60_000);
    await ask(anna, `/api/community-polls/${theirs.id}/comments`, 'POST', { content: 'Well.' });
    const { status, body, headers } = await ask<Profile>(anna, '/api/user/profile');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(isProfile(body), JSON.stringify(isProfile.errors)).toBe(true);
    const { id, firstName, lastName, email, profileImageUrl, createdAt } = anna.user;
    expect(body.user).toEqual({ id, firstName, lastName, email, profileImageUrl, createdAt });
    expect(body.activities.map(({ activityType, poll }) => [activityType, poll?.question])).toEqual([
      ['badge_earned', undefined],
      ['comment', 'Tea or coffee?'],
      ['vote', 'What about p6?'],
      ['poll_created', 'Question 6?'],
      ['vote', 'What about p5?'],
    ]);
    expect(body.polls.map(({ question }) => question)).toEqual([6, 5, 4, 3, 2].map((n) => `Question ${n}?`));
    const badges = ['comments_1', 'early_adopter', 'votes_1'];
    expect(body.badges.map(({ badgeType }) => badgeType).sort()).toEqual(badges);
    expect(body.stats).toEqual({ votes: 7, polls: 7, comments: 1, badges: 3, activities: 18 });
  });

  once('a new member has one active day and nothing else', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    await db('badges').del();
    await db('events').del();
    const { body } = await ask<Profile>(anna, '/api/user/profile');
    expect(body).toMatchObject({ activities: [], polls: [], badges: [], stats: { activities: 0 } });
    expect((await tracker(anna)).badges.filter(({ current }) => current > 0).map(({ key }) => key)).toEqual([
      'streak_7',
      'streak_30',
      'streak_100',
      'active_days_50',
      'four_seasons',
    ]);
  });

  once('reports of opened polls and copied links are limited', async () => {
    const { app } = await start({ config: { rateLimit: true } });
    const anna = await registered(app, 'anna');
    const report = (what: string) => ask(anna, `/api/user/${what}`, 'POST', { kind: 'poll', id: 'p0' });
    for (let n = 0; n < rateLimits.pollEvents.points; n++)
      expect((await report(n % 2 === 0 ? 'opened' : 'shares')).status).toBe(204);
    expect((await report('opened')).status).toBe(429);
  });
});

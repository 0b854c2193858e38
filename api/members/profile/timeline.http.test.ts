import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { activityDaysSchema, activityPageSchema } from './profile.contract.ts';
import type { ActivityDays, ActivityPage } from './profile.contract.ts';
import type { Database } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';

const isPage = compileSchema<ActivityPage>(activityPageSchema, 'json');
const isDays = compileSchema<ActivityDays>(activityDaysSchema, 'json');
const minute = 60_000;

async function timeline(browser: Visitor, query = ''): Promise<ActivityPage> {
  const { status, body } = await ask<ActivityPage>(browser, `/api/user/activities${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(isPage(body), JSON.stringify(isPage.errors)).toBe(true);
  return body;
}
const vote = (browser: Visitor, poll: string) => ask(browser, `/api/polls/${poll}/vote`, 'POST', { optionId: 'o1' });
/** Type and question, or entity, of each activity. */
const summaryOf = ({ activities }: ActivityPage) =>
  activities.map(({ activityType, entityId, poll }) => [activityType, poll?.question ?? entityId]);

oneDatabase((open) => {
  async function start() {
    const { db } = await open();
    await seedPolls(
      db,
      Array.from({ length: 30 }, (_, n) => ({ id: `weekly-${n}`, question: `Weekly question ${n}?` })),
    );
    const app = await startTestApp(db);
    return { db, app };
  }

  test('[S2.114 S3.15 D7.7] everything a member does is in the timeline at once, newest first, with the question and the option voted for', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    /** Badges are awarded in the meantime. */
    const later = async (time: number) => {
      await ask(anna, '/api/user/summary');
      app.clock.set(testNow + time);
    };
    await later(minute / 2);
    const { id } = await made(anna, { question: 'Tea or coffee?' });
    await later(minute);
    await vote(anna, 'weekly-0');
    await later(2 * minute);
    const comment = await ask<{ id: string }>(anna, `/api/community-polls/${id}/comments`, 'POST', { content: 'Tea' });
    await later(3 * minute);
    await castVote(anna, id);
    const page = await timeline(anna);
    expect(summaryOf(page)).toEqual([
      ['badge_earned', 'own_horn'],
      ['vote', 'Tea or coffee?'],
      ['badge_earned', 'comments_1'],
      ['comment', 'Tea or coffee?'],
      ['badge_earned', 'votes_1'],
      ['vote', 'Weekly question 0?'],
      ['poll_created', 'Tea or coffee?'],
      ['badge_earned', 'early_adopter'],
    ]);
    expect(page).toMatchObject({ total: 8, matching: 8, searched: null, next: null });
    expect(page.stats).toEqual({ votes: 2, polls: 1, comments: 1, badges: 4, activities: 8 });
    expect(
      page.activities
        .filter(({ activityType }) => activityType !== 'badge_earned')
        .map((activity) => ({ ...activity, id: undefined })),
    ).toEqual([
      {
        activityType: 'vote',
        entityId: id,
        entityType: 'community_poll',
        metadata: { category: 'Lifestyle' },
        createdAt: '2026-11-20T12:03:00.000Z',
        poll: { id, kind: 'community', question: 'Tea or coffee?' },
        choice: 'Tea',
      },
      {
        activityType: 'comment',
        entityId: comment.body.id,
        entityType: 'comment',
        metadata: { pollId: id },
        createdAt: '2026-11-20T12:02:00.000Z',
        poll: { id, kind: 'community', question: 'Tea or coffee?' },
        choice: null,
      },
      {
        activityType: 'vote',
        entityId: 'weekly-0',
        entityType: 'poll',
        metadata: { category: 'General' },
        createdAt: '2026-11-20T12:01:00.000Z',
        poll: { id: 'weekly-0', kind: 'poll', question: 'Weekly question 0?' },
        choice: 'Answer 1',
      },
      {
        activityType: 'poll_created',
        entityId: id,
        entityType: 'community_poll',
        metadata: { visibility: 'public', category: 'Lifestyle', options: 2 },
        createdAt: '2026-11-20T12:00:30.000Z',
        poll: { id, kind: 'community', question: 'Tea or coffee?' },
        choice: null,
      },
    ]);
  });

  test('[S2.113] filtering by type shows its activities and their number', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    await made(anna);
    for (const poll of ['weekly-0', 'weekly-1']) await vote(anna, poll);
    for (const [type, count] of [
      ['vote', 2],
      ['poll_created', 1],
      ['comment', 0],
      ['badge_earned', 2],
    ] as const) {
      const page = await timeline(anna, `?type=${type}`);
      expect(page).toMatchObject({ total: 5, matching: count });
      expect(page.activities.map(({ activityType }) => activityType)).toEqual(Array(count).fill(type));
    }
  });

  test('pages follow each other without a gap, despite new activities and equal timestamps', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    for (let n = 0; n < 20; n++) await vote(anna, `weekly-${n}`);
    for (const query of ['', '&q=e']) {
      const all = (await timeline(anna, `?limit=50${query}`)).activities.map(({ id }) => id);
      expect(all.length).toBeGreaterThan(20);
      const read: number[] = [];
      let next: string | null = '';
      for (let turn = 0; next !== null; turn++) {
        const page: ActivityPage = await timeline(anna, `?limit=4${query}${next === '' ? '' : `&before=${next}`}`);
        expect(page.activities.length).toBeLessThanOrEqual(4);
        read.push(...page.activities.map(({ id }) => id));
        next = page.next;
        app.clock.set(testNow + (turn + 1) * minute);
        await vote(anna, `weekly-${20 + (turn % 10)}`);
      }
      expect(read).toEqual(all);
    }
  });

  test('[S2.112] a search finds type names, entity ids, poll questions, and badge names', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, { question: 'Straße oder ÄCKER? 100% _sicher_' });
    await vote(anna, 'weekly-7');
    await ask(anna, `/api/community-polls/${id}/comments`, 'POST', { content: 'Secret words of the comment' });
    const found = async (q: string, more = '') => {
      const page = await timeline(anna, `?q=${encodeURIComponent(q)}${more}`);
      expect(page.matching).toBe(page.activities.length);
      expect(page.searched).toBe(more === '' ? page.total : page.searched);
      return summaryOf(page).map(([type]) => type);
    };
    expect(await found('Poll CREATED')).toEqual(['poll_created']);
    expect(await found('weekly-7')).toEqual(['vote']);
    expect((await found('  äcker ')).sort()).toEqual(['comment', 'poll_created']);
    expect((await found('100% _')).sort()).toEqual(['comment', 'poll_created']);
    expect(await found('äcker', '&type=comment')).toEqual(['comment']);
    // "Light Air" is the badge of the first vote.
    expect(await found('light air')).toEqual(['badge_earned']);
    expect(await found('early_adopter')).toEqual(['badge_earned']);
    expect(await found('words of the comment')).toEqual([]);
    for (const odd of ["' or '1'='1", '%', '\0', '\\', '😀']) expect((await found(odd)).length, odd).toBeLessThan(3);
    expect(await timeline(anna, '?q=%20')).toMatchObject({ searched: null, matching: 6 });
  });

  test('a search covers the newest activities only, and returns how many', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    await ask(anna, '/api/user/summary');
    await manyVotes(db, anna.user.id, limits.activitySearchDepth + 10);
    expect(await timeline(anna, '?q=many-1')).toMatchObject({ searched: limits.activitySearchDepth });
    // The oldest one is not searched.
    expect((await timeline(anna, '?q=many-1-first')).matching).toBe(0);
    const badges = await timeline(anna, '?q=early_adopter&type=badge_earned');
    expect(badges).toMatchObject({ matching: 1, searched: badges.stats.badges });
  });

  test('a poll that was deleted, or that a member may no longer see, is neither named nor found', async () => {
    const { app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const secret = await made(anna, { visibility: 'private', question: 'Where does the heron nest?' });
    const gone = await made(anna, { question: 'Shall the heron stay?' });
    await invited(anna, secret.id, 'ben');
    await castVote(ben, secret.id);
    await ask(ben, `/api/community-polls/${secret.id}/comments`, 'POST', { content: 'On the roof' });
    await castVote(ben, gone.id);
    expect(JSON.stringify(await timeline(ben))).toContain('Where does the heron nest?');
    await ask(anna, `/api/community-polls/${secret.id}/invites/${ben.user.id}`, 'DELETE');
    await ask(anna, `/api/community-polls/${gone.id}`, 'DELETE');
    const page = await timeline(ben);
    expect(JSON.stringify(page)).not.toContain('heron');
    expect(
      page.activities
        .filter(({ activityType }) => activityType !== 'badge_earned')
        .map(({ poll, choice }) => [poll, choice]),
    ).toEqual(Array.from({ length: 3 }, () => [null, null]));
    expect(await timeline(ben, '?q=heron')).toMatchObject({ matching: 0 });
    expect(JSON.stringify((await ask(ben, '/api/user/profile')).body)).not.toContain('heron');
    // The vote and the comments still count.
    expect(page.stats).toMatchObject({ votes: 2, comments: 1 });
    expect(await timeline(anna, '?q=heron')).toMatchObject({ matching: 1 });
  });

  test('an invalid query is refused with the field named', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    for (const [query, field] of [
      ['type=share', 'type'],
      ['limit=0', 'limit'],
      [`limit=${limits.activityPageSizeMax + 1}`, 'limit'],
      ['before=yesterday', 'before'],
      ['before=1-2-3', 'before'],
      [`q=${'x'.repeat(limits.activitySearchLength + 1)}`, 'q'],
      ['page=2', 'page'],
    ]) {
      const { status, body } = await ask(anna, `/api/user/activities?${query}`);
      expect([status, body.errors?.map((error) => error.field)]).toEqual([400, [field]]);
    }
  });

  test('the year shows the number of activities per UTC day, over leap day and year’s end', async () => {
    const { db, app } = await start();
    app.clock.set('2027-12-31T23:59:59.999Z');
    await db('ballots').update({ ends_at: Date.parse('2029-01-01T00:00:00Z') });
    const anna = await registered(app, 'anna');
    await vote(anna, 'weekly-0');
    app.clock.set('2028-01-01T00:00:00Z');
    await vote(anna, 'weekly-1');
    await vote(anna, 'weekly-2');
    for (const [n, day] of ['2028-02-28', '2028-02-29', '2028-03-01'].entries()) {
      app.clock.set(`${day}T12:00:00Z`);
      await vote(await signedIn(app, 'anna'), `weekly-${3 + n}`);
    }
    const year = async () => {
      const { body } = await ask<ActivityDays>(await signedIn(app, 'anna'), '/api/user/activity-days');
      expect(isDays(body), JSON.stringify(isDays.errors)).toBe(true);
      return body;
    };
    expect(await year()).toEqual({
      from: '2027-03-03',
      to: '2028-03-01',
      total: 6,
      activeDays: 5,
      streak: { current: 3, longest: 3 },
      days: [
        { day: '2027-12-31', count: 1 },
        { day: '2028-01-01', count: 2 },
        { day: '2028-02-28', count: 1 },
        { day: '2028-02-29', count: 1 },
        { day: '2028-03-01', count: 1 },
      ],
    });
    // Reading makes a day active, but adds no activity.
    app.clock.set('2028-12-31T00:00:00Z');
    expect(await year()).toMatchObject({
      from: '2028-01-02',
      total: 3,
      activeDays: 3,
      streak: { current: 1, longest: 3 },
    });
    expect(await db('badges').where({ user_id: anna.user.id }).pluck('badge_type')).toEqual(
      expect.arrayContaining(['leap_day', 'new_year', 'cake_day']),
    );
  });
});

/** Stores many votes, one after the other. */
async function manyVotes(db: Database, userId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    ...{ member_id: userId, type: 'vote.cast', subject_kind: 'poll', after: '{"category":null,"traits":[]}' },
    subject: n === 0 ? 'many-1-first' : `many-${n}`,
    at: testNow - (testNow % 86_400_000),
  }));
  await db.batchInsert('events', rows, 100);
}

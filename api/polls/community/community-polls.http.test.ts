import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { pollsInOrder } from './community-polls.queries.ts';
import { setFeatured, createdPolls, createdPollsCount } from './community-polls.service.ts';

const arePolls = compileSchema<CommunityPoll[]>(endpoints.communityPolls.response, 'json');
const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();
const questions = (polls: readonly CommunityPoll[]) => polls.map(({ question }) => question);

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    app = await startTestApp(db, options);
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Weber' });
    return { db, app, anna };
  }
  const list = async (from: Parameters<typeof ask>[0], query = '') =>
    (await ask<CommunityPoll[]>(from, `/api/community-polls${query}`)).body;

  test('in a transaction, a poll is read with one query at a time', async () => {
    const { db, anna } = await start();
    const { id } = await made(anna);
    let [running, most] = [0, 0];
    await db.transaction(async (trx) => {
      trx.on('query', () => (most = Math.max(most, (running += 1))));
      trx.on('query-response', () => (running -= 1));
      expect(await pollsInOrder(trx, [id])).toHaveLength(1);
    });
    expect(most).toBe(1);
  });

  test('a poll that has not started is visible and says when it starts', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna, { startsAt: iso(testNow + day), endsAt: iso(testNow + 2 * day) });
    const { status, body } = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`);
    expect([status, body.isActive, body.startsAt]).toEqual([200, true, iso(testNow + day)]);
    expect(body.options.map(({ votes }) => votes)).toEqual([null, null]);
  });

  test('[D6.17] option counts are withheld until the viewer has voted or the poll is closed, except from the creator; the total is not', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna, { endsAt: iso(testNow + day) });
    const ben = visitor(app);
    await castVote(ben, id, 'option-2');
    const seen = async (by: Parameters<typeof ask>[0]) => {
      const { body } = await ask<CommunityPoll>(by, `/api/community-polls/${id}`);
      return [body.options.map(({ votes }) => votes), body.totalVotes, body.hasVoted, body.userVote];
    };
    expect(await seen(ben)).toEqual([[0, 1], 1, true, 'option-2']);
    expect(await seen(anna)).toEqual([[0, 1], 1, false, null]);
    expect(await seen(visitor(app))).toEqual([[null, null], 1, false, null]);
    const [listed] = await list(visitor(app));
    expect(listed).toMatchObject({ totalVotes: 1, options: [{ votes: null }, { votes: null }] });
    app.clock.set(testNow + day);
    expect(await seen(visitor(app))).toEqual([[0, 1], 1, false, null]);
    const { body } = await ask<CommunityPoll>(anna, `/api/community-polls/${id}`);
    expect(body).toMatchObject({ isActive: false, closedAt: iso(testNow + day) });
  });

  test('[S7.19] the list has public polls only, newest first, page by page and by category', async () => {
    const { app, anna } = await start();
    for (let n = 0; n < 14; n++) {
      app.clock.set(testNow + n);
      await made(anna, {
        question: `Poll ${n}`,
        visibility: n % 7 === 5 ? 'unlisted' : n % 7 === 6 ? 'private' : 'public',
        category: n % 2 === 0 ? 'Science' : 'World News',
      });
    }
    const reader = visitor(app);
    const first = await list(reader);
    expect(arePolls(first), JSON.stringify(arePolls.errors)).toBe(true);
    expect(questions(first)).toEqual(['Poll 11', 'Poll 10', 'Poll 9', 'Poll 8', 'Poll 7', 'Poll 4']);
    expect(first).toHaveLength(limits.communityPageSize);
    expect(questions(await list(reader, '?visibility=public&limit=6&offset=6'))).toEqual([
      'Poll 3',
      'Poll 2',
      'Poll 1',
      'Poll 0',
    ]);
    expect(await list(reader, '?offset=5000')).toEqual([]);
    expect(questions(await list(reader, '?limit=2&offset=1&category=Science'))).toEqual(['Poll 8', 'Poll 4']);
    expect(questions(await list(reader, '?category=World+News&limit=50'))).toEqual([
      'Poll 11',
      'Poll 9',
      'Poll 7',
      'Poll 3',
      'Poll 1',
    ]);
  });

  test('polls created in the same millisecond are listed once each', async () => {
    const { anna } = await start();
    const ids = await Promise.all(Array.from({ length: 13 }, async () => (await made(anna)).id));
    const pages = await Promise.all([0, 5, 10].map((offset) => list(anna, `?limit=5&offset=${offset}`)));
    expect(
      pages
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.sort());
  });

  test('[D6.15] only members themselves see their own polls of every visibility', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    for (const visibility of ['private', 'unlisted', 'public'] as const) await made(anna, { visibility });
    const mine = await list(anna, '?visibility=mine');
    expect(mine.map(({ visibility }) => visibility).sort()).toEqual(['private', 'public', 'unlisted']);
    expect(mine.every(({ isMine }) => isMine)).toBe(true);
    expect(await list(anna, '?visibility=mine&category=Science')).toEqual([]);
    expect(await list(anna, '?visibility=mine&limit=2&offset=2')).toHaveLength(1);
    expect(await list(ben, '?visibility=mine')).toEqual([]);
    const { status, body } = await ask(visitor(app), '/api/community-polls?visibility=mine');
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const member = { device: null, cookie: null, userId: anna.user.id };
    expect(await createdPolls({ db, clock: app.clock }, member, { limit: 5, offset: 0 })).toEqual(mine);
    expect(await createdPollsCount(db, anna.user.id)).toBe(3);
  });

  test('[D6.15] an invalid list query is refused, and the field is named', async () => {
    const { anna } = await start();
    const wrong = ['visibility=private', 'visibility=unlisted', 'visibility=all', 'limit=0', 'limit=51', 'offset=-1'];
    for (const query of [...wrong, 'offset=x', 'category=Gossip', 'page=2', 'limit=1&limit=2']) {
      const { status, body } = await ask(anna, `/api/community-polls?${query}`);
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'VALIDATION_FAILED', query.split('=')[0]]);
    }
  });

  test('[S7.17] the featured list has the public polls that the operator chose, newest first, a dozen at most', async () => {
    const { db, app, anna } = await start();
    const context = { db, clock: app.clock };
    for (let n = 0; n < 14; n++) {
      app.clock.set(testNow + n);
      const { id } = await made(anna, { question: `Poll ${n}` });
      expect(await setFeatured(context, id, n > 0)).toBe('done');
    }
    for (const visibility of ['unlisted', 'private'] as const)
      expect(await setFeatured(context, (await made(anna, { visibility })).id, true)).toBe('not-public');
    expect(await setFeatured(context, 'nothing', true)).toBe('not-found');
    const { body } = await ask<CommunityPoll[]>(visitor(app), '/api/community-polls/featured');
    expect(questions(body)).toEqual(Array.from({ length: 12 }, (_, n) => `Poll ${13 - n}`));
    expect(body[0]?.featured).toBe(true);
    await setFeatured(context, body[0]?.id ?? '', false);
    const after = await ask<CommunityPoll[]>(visitor(app), '/api/community-polls/featured');
    expect(questions(after.body)[0]).toBe('Poll 12');
  });

  test('[S3.20 S7.18 D10.7] the categories are the fifteen', async () => {
    const { anna } = await start();
    const { body, headers } = await ask<string[]>(anna, '/api/community-polls/categories');
    expect(body).toEqual([...communityCategories]);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  test('an unknown or malformed id is POLL_NOT_FOUND', async () => {
    const { anna } = await start();
    for (const id of ['nothing', 'no.such.id', '%00', 'x'.repeat(81)]) {
      const { status, body } = await ask(anna, `/api/community-polls/${id}`);
      expect([status, body.code]).toEqual([404, 'POLL_NOT_FOUND']);
    }
  });

  test('a guest’s first visit is recorded; later ones change nothing', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { visibility: 'private' });
    await invited(anna, id, 'ben');
    const accepted = async () => db('community_poll_guests').first<{ accepted_at: number | null }>('accepted_at');
    expect(await accepted()).toEqual({ accepted_at: null });
    for (const moment of [testNow + 5, testNow + 9]) {
      app.clock.set(moment);
      await ask(ben, `/api/community-polls/${id}`);
      expect(await accepted()).toEqual({ accepted_at: testNow + 5 });
    }
  });

  test('the polls of a deleted account are by a former member', async () => {
    const { db, app, anna } = await start();
    const { id } = await made(anna);
    await db('users').where({ id: anna.user.id }).del();
    const { body } = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`);
    expect(body).toMatchObject({ createdByName: 'a former member', isMine: false });
  });
});

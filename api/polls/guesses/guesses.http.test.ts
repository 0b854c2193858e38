import { afterEach, expect, test } from 'vitest';
import type { Guessed } from './guesses.contract.ts';
import type { Profile, UserExport } from '#api/members/profile/profile.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import type { AppOptions } from '#api/app.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  /** A poll with 49, 30, and 20 votes, and a fourth option that isn’t offered. */
  async function start(config: Partial<AppOptions['config']> = {}) {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'open', votes: [49, 30, 20, 0] },
      { id: 'closed', closedAt: testNow - 1, votes: [3, 4] },
      { id: 'later', startsAt: testNow + 1, endsAt: testNow + 2 },
    ]);
    app = await startTestApp(db, { config });
    return { db, app };
  }
  const vote = (browser: Visitor) =>
    browser.fetch('/api/polls/open/vote', { method: 'POST', json: { optionId: 'o1' } });
  const voter = async () => {
    const browser = visitor(app!);
    await vote(browser);
    return browser;
  };
  const guess = async (browser: Visitor, json: object, poll = 'open') => {
    const response = await browser.fetch(`/api/polls/${poll}/guesses`, { method: 'POST', json });
    return { status: response.status, body: (await response.json()) as Guessed & { code?: string } };
  };
  const [exact, far, wrong] = [50, 80, 30].map((percent, index) => ({
    optionId: index === 2 ? 'o2' : 'o1',
    percent,
  }));

  test('a guess is compared with the result and with earlier guesses, and kept as a sum', async () => {
    const { db } = await start();
    const browser = await voter();
    expect((await guess(browser, far!)).body).toEqual({ points: 30, guessers: 0, closerThan: 0, accuracy: null });
    expect((await guess(await voter(), far!)).body).toMatchObject({ points: 30, guessers: 1, closerThan: 0 });
    expect((await guess(await voter(), exact!)).body).toMatchObject({ points: 1, guessers: 2, closerThan: 100 });
    const { body } = await guess(await voter(), wrong!);
    expect(body).toMatchObject({ points: 23, guessers: 3, closerThan: 66 });
    const stored = await db('guesses').orderBy(['option_key', 'percent']).select('percent', 'guesses');
    expect(stored.map((row) => [row.percent, row.guesses])).toEqual([
      [50, 1],
      [80, 2],
      [30, 1],
    ]);
    expect(await db('guess_accuracy')).toEqual([]);
  });

  once('guesses change no count and no vote', async () => {
    const { db } = await start();
    const browser = await voter();
    const figures = () =>
      Promise.all([db('ballots').orderBy('id'), db('ballot_options').orderBy('key'), db('votes'), db('statistics')]);
    const before = await figures();
    expect((await guess(browser, exact!)).status).toBe(200);
    expect(await figures()).toEqual(before);
  });

  test('parallel guesses are all counted', async () => {
    const { db } = await start();
    const browsers = await Promise.all(Array.from({ length: 8 }, voter));
    const answers = await Promise.all(browsers.map((browser) => guess(browser, far!)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(Number((await db('guesses').first<{ guesses: number | string }>('guesses'))?.guesses)).toBe(8);
  });

  once('only those who voted on an open poll can guess, and only an option that is offered', async () => {
    const { db } = await start();
    const browser = await voter();
    expect(await guess(visitor(app!), exact!)).toMatchObject({ status: 403, body: { code: 'VOTE_REQUIRED' } });
    expect(await guess(browser, exact!, 'closed')).toMatchObject({ status: 409, body: { code: 'POLL_CLOSED' } });
    for (const poll of ['later', 'missing'])
      expect(await guess(browser, exact!, poll)).toMatchObject({ status: 404, body: { code: 'POLL_NOT_FOUND' } });
    for (const optionId of ['o4', 'missing'])
      expect(await guess(browser, { optionId, percent: 40 })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_OPTION' },
      });
    for (const percent of [-1, 101, 40.5, '40'])
      expect(await guess(browser, { optionId: 'o1', percent })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    expect(await db('guesses')).toEqual([]);
  });

  once('voters guess on community polls whose results they see; sums are deleted with the poll', async () => {
    const { db } = await start();
    const [anna, ben] = [await registered(app!, 'anna'), await registered(app!, 'ben')];
    const [{ id }, hidden] = [await made(anna), await made(anna, { visibility: 'private' })];
    await castVote(anna, id, 'option-2');
    const refused = await guess(ben, { optionId: 'option-1', percent: 40 }, id);
    expect(refused).toMatchObject({ status: 403, body: { code: 'VOTE_REQUIRED' } });
    await castVote(ben, id);
    const guessed = await guess(ben, { optionId: 'option-1', percent: 40 }, id);
    expect(guessed).toMatchObject({ status: 200, body: { points: 10, guessers: 0 } });
    for (const [browser, code] of [
      [ben, 'PRIVATE_POLL_ACCESS_DENIED'],
      [visitor(app!), 'PRIVATE_POLL_AUTH_REQUIRED'],
    ] as const)
      expect((await guess(browser, { optionId: 'option-1', percent: 40 }, hidden.id)).body.code).toBe(code);
    const later = await made(anna, { resultVisibility: 'after-end' });
    await castVote(ben, later.id);
    const early = await guess(ben, { optionId: 'option-1', percent: 40 }, later.id);
    expect(early).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await db('guesses').pluck('guesses')).toHaveLength(1);
    expect((await anna.fetch(`/api/community-polls/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await db('guesses')).toEqual([]);
  });

  test('members have the sum of their errors in profile and export, until they delete the account', async () => {
    const { db } = await start();
    const anna = await registered(app!, 'anna');
    await vote(anna);
    const profile = async () => (await (await anna.fetch('/api/user/profile')).json()) as Profile;
    expect((await profile()).accuracy).toBeNull();
    await guess(anna, exact!);
    const expected = { guesses: 2, points: 30 };
    expect((await guess(anna, far!)).body.accuracy).toEqual(expected);
    expect((await profile()).accuracy).toEqual(expected);
    const exported = (await (await anna.fetch('/api/user/export')).json()) as UserExport;
    expect(exported.guesses).toEqual(expected);
    const deletion = { username: 'anna', password: testPassword };
    expect((await anna.fetch('/api/user', { method: 'DELETE', json: deletion })).status).toBe(204);
    expect(await db('guess_accuracy')).toEqual([]);
    expect(await db('guesses')).toHaveLength(2);
  });

  once('a voter’s second guess on a poll is refused, however the voter is recognized', async () => {
    const { db } = await start({ rateLimit: true });
    const browser = await voter();
    const invalid = { optionId: 'missing', percent: 40 };
    expect(await guess(browser, invalid)).toMatchObject({ status: 400, body: { code: 'INVALID_OPTION' } });
    const parallel = await Promise.all([exact!, far!, wrong!].map((one) => guess(browser, one)));
    expect(parallel.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const [path, headers] = ['/api/polls/open/guesses', { 'x-device-id': browser.device }];
    expect((await visitor(app!).fetch(path, { method: 'POST', json: exact, headers })).status).toBe(429);
    expect(await db('guesses').pluck('guesses')).toHaveLength(1);
    expect((await guess(await voter(), exact!)).body).toMatchObject({ guessers: 1 });
  });

  once('guesses have their own limit per address, which doesn’t affect votes', async () => {
    const { db } = await start({ rateLimit: true });
    expect((await guess(await voter(), exact!)).status).toBe(200);
    await db('attempts').update({ used: rateLimits.guess.points });
    expect(await guess(await voter(), exact!)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect((await vote(visitor(app!))).status).toBe(200);
  });
});

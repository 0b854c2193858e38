import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Challenge } from '#contract/challenge.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { challengeMs, challengeTries } from '#domain/integrity/difficulty.ts';
import { fixedClock } from '#platform/clock.ts';
import { made } from '#api/testing/community-polls.ts';
import { eachDatabase, oneDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { votesUnshared } from '#api/voting/vote-limits.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';

const day = 86_400_000;

/** The header that solves a challenge, as the browser makes it. */
async function solved(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64url');
}

/** A vote; `solution` goes into the header. */
async function vote(voter: Visitor, path: string, solution = '', address = '192.0.2.1') {
  const json = path.includes('community')
    ? { optionId: 'option-1', voterFingerprint: voter.device }
    : { optionId: 'o1' };
  const headers = { 'x-challenge-solution': solution, 'x-forwarded-for': address };
  const response = await voter.fetch(`${path}/vote`, { method: 'POST', json, headers });
  const body = (await response.json()) as { code?: string; challenge?: Challenge; totalVotes?: number };
  return { status: response.status, ...body };
}

/** The challenge in the answer to a vote on a poll that needs one. */
async function challengeFor(voter: Visitor, path: string, address?: string): Promise<Challenge> {
  const { status, code, challenge } = await vote(voter, path, '', address);
  expect([status, code]).toEqual([428, 'CHALLENGE_REQUIRED']);
  return challenge!;
}

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start(config: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'attacked' }, { id: 'quiet' }, { id: 'other' }]);
    await db('ballots').whereIn('id', ['attacked', 'other']).update({ challenge: 'on' });
    const clock = fixedClock(testNow);
    app = await startTestApp(db, { clock, ...config });
    return { db, clock, app };
  }

  describe('a poll under attack', () => {
    test('records a vote with a solved challenge only, once per challenge, and others without', async () => {
      const { db, app } = await start();
      expect(await vote(visitor(app), '/api/polls/quiet')).toMatchObject({ status: 200 });
      const voter = visitor(app);
      const solution = await solved(await challengeFor(voter, '/api/polls/attacked'));
      expect(await vote(voter, '/api/polls/attacked', solution)).toMatchObject({ status: 200, totalVotes: 1 });

      expect(await vote(visitor(app), '/api/polls/attacked', solution)).toMatchObject({ code: 'CHALLENGE_REQUIRED' });
      const again = await solved(await challengeFor(visitor(app), '/api/polls/attacked'));
      expect(await vote(visitor(app), '/api/polls/other', again)).toMatchObject({ code: 'CHALLENGE_REQUIRED' });
      await expectExactCounters(db);
    });

    test('accepts a solution from one of many requests that send it at once', async () => {
      const { db, app } = await start();
      const solution = await solved(await challengeFor(visitor(app), '/api/polls/attacked'));
      const votes = Array.from({ length: 8 }, () => vote(visitor(app), '/api/polls/attacked', solution));
      const statuses = (await Promise.all(votes)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 428)).toHaveLength(7);
      await expectExactCounters(db);
    });

    once('refuses an expired solution with a new challenge', async () => {
      const { clock, app } = await start();
      const solution = await solved(await challengeFor(visitor(app), '/api/polls/attacked'));
      clock.set(testNow + challengeMs);
      const refused = await vote(visitor(app), '/api/polls/attacked', solution);
      expect(refused.code).toBe('CHALLENGE_REQUIRED');
      expect(await vote(visitor(app), '/api/polls/attacked', await solved(refused.challenge!))).toMatchObject({
        status: 200,
      });
    });

    once('exempts no member, however old the account is', async () => {
      const { db, app } = await start();
      const member = await registered(app, 'anna');
      await db('users').update({ created_at: testNow - 400 * day });
      expect(await vote(member, '/api/polls/attacked')).toMatchObject({ code: 'CHALLENGE_REQUIRED' });
    });

    once('ends when its time is over or the operator turns challenges off', async () => {
      const { db, clock, app } = await start();
      await db('ballots')
        .where({ id: 'attacked' })
        .update({ challenge: 'off', challenged_until: testNow + 1_000 });
      await db('ballots')
        .where({ id: 'other' })
        .update({ challenge: 'auto', challenged_until: testNow + 1_000 });
      expect(await vote(visitor(app), '/api/polls/attacked')).toMatchObject({ status: 200 });
      expect(await vote(visitor(app), '/api/polls/other')).toMatchObject({ code: 'CHALLENGE_REQUIRED' });
      clock.set(testNow + 1_000);
      expect(await vote(visitor(app), '/api/polls/other')).toMatchObject({ status: 200 });
    });

    once('may be a community poll', async () => {
      const { db, app } = await start();
      const { id } = await made(await registered(app, 'anna'));
      await db('ballots').where({ id }).update({ challenge: 'on' });
      const voter = visitor(app);
      const solution = await solved(await challengeFor(voter, `/api/community-polls/${id}`));
      expect(await vote(voter, `/api/community-polls/${id}`, solution)).toMatchObject({ status: 200, totalVotes: 1 });
    });
  });
});

oneDatabase((open) => {
  async function start(config: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'attacked' }]);
    await db('ballots').update({ challenge: 'on' });
    return { db, app: await startTestApp(db, config) };
  }

  test('a solution that is malformed, forged, or of another challenge is refused with a new challenge', async () => {
    const { app } = await start();
    const challenge = await challengeFor(visitor(app), '/api/polls/attacked');
    const { data } = challenge.parameters;
    const solution = JSON.parse(Buffer.from(await solved(challenge), 'base64url').toString()) as {
      solution: { counter: number; derivedKey: string };
    };
    const changed = (more: object) =>
      Buffer.from(JSON.stringify({ challenge, ...solution, ...more })).toString('base64url');
    const other = await challengeFor(visitor(app), '/api/polls/attacked');
    for (const wrong of [
      'not base64 !',
      'x'.repeat(10_000),
      Buffer.from('null').toString('base64url'),
      Buffer.from('{"challenge":{}}').toString('base64url'),
      changed({ solution: undefined }),
      changed({ solution: { counter: 0, derivedKey: '0'.repeat(64) } }),
      changed({ challenge: { ...challenge, signature: '0'.repeat(64) } }),
      changed({ challenge: other }),
      changed({
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, data: { ...data, expires: data.expires + 1 } },
        },
      }),
    ])
      expect(await vote(visitor(app), '/api/polls/attacked', wrong), wrong).toMatchObject({ status: 428 });
    // None of them used up the challenge.
    expect(await vote(visitor(app), '/api/polls/attacked', changed({}))).toMatchObject({ status: 200 });
  });

  test(
    'challenges become harder with a network’s votes across all processes, and hoarded easy ones are refused',
    slow,
    async () => {
      const { db, app } = await start({ config: { rateLimit: true } });
      const saved = await challengeFor(visitor(app), '/api/polls/attacked');
      expect(saved.parameters.data.tries).toBe(challengeTries(1));
      const notice = async (challenge: 'on' | 'off', status: number) => {
        await db('ballots').update({ challenge });
        await vi.waitFor(
          async () => expect((await vote(visitor(app), '/api/polls/attacked', '', '203.0.113.1')).status).toBe(status),
          { timeout: 15_000 },
        );
      };
      await notice('off', 200);
      for (let cast = 0; cast < 85; cast += 1)
        expect((await vote(visitor(app), '/api/polls/attacked')).status).toBe(200);
      await notice('on', 428);
      const harder = await challengeFor(visitor(app), '/api/polls/attacked');
      expect(harder.parameters.data.tries).toBe(challengeTries(86));
      expect(harder.parameters.data.tries).toBeGreaterThan(2 * challengeTries(1));
      // Another process counts all of them but the first 20, which no process shares.
      const second = await startTestApp(db, { clock: app.clock, config: { rateLimit: true } });
      const there = await challengeFor(visitor(second), '/api/polls/attacked');
      expect(there.parameters.data.tries).toBe(challengeTries(85 - votesUnshared + 1));
      expect(there.parameters.data.tries).toBeGreaterThan(challengeTries(1));
      expect(await vote(visitor(app), '/api/polls/attacked', await solved(saved))).toMatchObject({ status: 428 });
      const elsewhere = await challengeFor(visitor(app), '/api/polls/attacked', '198.51.100.1');
      expect(elsewhere.parameters.data.tries).toBe(challengeTries(1));
      expect(challengeTries(rateLimits.pollVotesNearby.points)).toBe(32 * challengeTries(1));
    },
  );

  test('over plain HTTP, where no browser can solve one, no challenge is required', async () => {
    const { app } = await start({ config: { publicUrl: 'http://polls.example.com' } });
    expect(await vote(visitor(app), '/api/polls/attacked')).toMatchObject({ status: 200 });
  });
});

import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { ask } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import { reopenBallot } from './ballots.service.ts';
import { decide, expireHolds, setAside } from './decisions.service.ts';
import { erasedAfterMs, erasedAtOnce, voteErasure } from './erasure.service.ts';
import { createVotingIntake } from './intake.service.ts';
import type { Vote } from './vote-batch.ts';

const day = 86_400_000;
const midnight = Date.parse('2026-11-20T00:00:00Z');

interface StoredTraits {
  readonly id: string;
  readonly network: number | null;
  readonly traits: number | null;
  readonly created_at: number;
}

/** What is kept about the votes of a ballot, without repetitions. */
async function storedTraitsOf(db: Database, id: string) {
  const rows = await db('votes')
    .join('ballots', 'ballots.key', 'votes.ballot_key')
    .where('ballots.id', id)
    .distinct<StoredTraits[]>('network', 'traits', 'votes.created_at');
  return rows.map(({ network, traits, created_at }) => [network, traits, created_at]);
}

eachDatabase((open, _engine, once) => {
  test('a vote is stored with its minute', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'tea' }]);
    await db('ballots')
      .where({ id: 'tea' })
      .update({ starts_at: testNow + 30_000 });
    const intake = createVotingIntake({ db, clock: fixedClock(testNow + 59_999), log: silentLogger });
    const voter = { device: newDigest(), cookie: newDigest(), userId: null };
    const vote: Vote = { ballotId: 'tea', kind: 'poll', optionId: 'o1', voter, network: 7, traits: 4 };
    expect(await intake.cast(vote)).toMatchObject({ status: 'recorded' });
    expect(await storedTraitsOf(db, 'tea')).toEqual([[7, 4, testNow]]);
  });

  async function start(votes = 3) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'ended' }, { id: 'open' }, { id: 'empty', closedAt: testNow }]);
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const context = { db, clock, intake };
    const cast = (ballotId: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => {
          const voter = { device: newDigest(), cookie: newDigest(), userId: null };
          const vote: Vote = {
            ballotId,
            kind: 'poll',
            optionId: 'o1',
            voter,
            network: 7,
            traits: 4,
            nonce: newDigest(),
          };
          return intake.cast(vote);
        }),
      );
    await cast('ended', votes);
    await cast('open', 2);
    await db('ballots')
      .where({ id: 'ended' })
      .update({ is_active: false, closed_at: testNow + day });
    await db('archive_categories').update({ closed_polls: 2 });
    const erase = async () => {
      const next = voteErasure(context);
      let batches = 0;
      while (await next()) batches += 1;
      return batches;
    };
    return { db, clock, context, cast, erase };
  }
  const end = testNow + day + erasedAfterMs;

  test('30 days after the end of a poll, network, traits, exact times, nonces, and the secret are erased, and no counter changes', async () => {
    const { db, clock, erase } = await start();
    clock.set(end - 1);
    expect(await erase()).toBe(0);
    expect(await storedTraitsOf(db, 'ended')).toEqual([[7, 4, testNow]]);
    expect(await db('ballot_secrets')).toHaveLength(2);
    clock.set(end);
    expect(await erase()).toBeGreaterThan(0);
    expect(await storedTraitsOf(db, 'ended')).toEqual([[null, null, midnight]]);
    expect(await storedTraitsOf(db, 'open')).toEqual([[7, 4, testNow]]);
    expect(await db('ballot_secrets')).toHaveLength(1);
    expect(await db('votes').whereNotNull('nonce')).toHaveLength(2);
    expect(await db('vote_erasures')).toEqual([]);
    expect(await db('digest_salts')).toEqual([]);
    expect(await erase()).toBe(0);
    await expectExactCounters(db);
  });

  test('votes of earlier releases, whose polls have no secret, keep only their day, too', async () => {
    const { db, clock, erase } = await start();
    await db('ballot_secrets').del();
    await db('votes').update({ network: null, traits: null });
    clock.set(end);
    await erase();
    expect(await storedTraitsOf(db, 'ended')).toEqual([[null, null, midnight]]);
    expect(await storedTraitsOf(db, 'open')).toEqual([[null, null, testNow]]);
  });

  test('erasing goes in batches, and continues after an interruption while polls that ended later join', async () => {
    const { db, clock, context, cast, erase } = await start(erasedAtOnce + 20);
    clock.set(end);
    const interrupted = voteErasure(context);
    await interrupted();
    expect(await storedTraitsOf(db, 'ended')).toHaveLength(2);
    clock.set(testNow);
    await cast('open', 2);
    await db('ballots')
      .where({ id: 'open' })
      .update({ is_active: false, closed_at: testNow + 2 * day });
    await db('archive_categories').update({ closed_polls: 3 });
    clock.set(end + day);
    await Promise.all([erase(), erase()]);
    for (const id of ['ended', 'open']) expect(await storedTraitsOf(db, id)).toEqual([[null, null, midnight]]);
    await expectExactCounters(db);
  });

  test('decisions are final once a poll is erased, and held votes are decided first', async () => {
    const { db, clock, context, erase } = await start();
    const by = { actor: 'operator' };
    const which = { ballotId: 'ended', cluster: { networks: [7] }, reason: 'unusual-rate', ...by } as const;
    await setAside(context, { ...which, hold: { expiresAt: end + 1 } });
    clock.set(end);
    await erase();
    expect(await storedTraitsOf(db, 'ended')).toEqual([[7, 4, testNow]]);
    clock.set(end + 1);
    expect(await expireHolds(context)).toHaveLength(1);
    const { key } = await setAside(context, which);
    await erase();
    expect(await storedTraitsOf(db, 'ended')).toEqual([[null, null, midnight]]);
    await expect(decide(context, key, 'release', by)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(setAside(context, which)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expectExactCounters(db);
  });

  once('a poll that is reopened later gets a new secret, and is erased again after its new end', async () => {
    const { db, clock, cast, erase } = await start();
    clock.set(end);
    await erase();
    await db.transaction((trx) => reopenBallot(trx, 'ended', end + day));
    const [outcome] = await cast('ended', 1);
    expect(outcome).toMatchObject({ status: 'recorded', receipt: expect.stringMatching(/^\w{4}-/) as string });
    expect(await storedTraitsOf(db, 'ended')).toEqual(
      expect.arrayContaining([
        [null, null, midnight],
        [7, 4, end],
      ]),
    );
    await db('ballots')
      .where({ id: 'ended' })
      .update({ is_active: false, closed_at: end + day });
    clock.set(end + day + erasedAfterMs);
    await erase();
    expect((await storedTraitsOf(db, 'ended')).every(([network, traits]) => network === null && traits === null)).toBe(
      true,
    );
  });

  once('a member’s export has what is kept about a vote, and only its day after the erasure', async () => {
    const { db, clock, erase } = await start();
    const app = await startTestApp(db, { clock });
    const anna = await registered(app, 'anna');
    await ask(anna, '/api/polls/open/vote', 'POST', { optionId: 'o1' });
    const votes = async () => (await ask<UserExport>(anna, '/api/user/export')).body.votes;
    expect(await votes()).toEqual([
      {
        ...{
          pollId: 'open',
          question: 'What about open?',
          optionId: 'o1',
          option: 'Answer 1',
          createdAt: '2026-11-20T12:00:00.000Z',
          traits: 1,
        },
        network: expect.any(Number) as number,
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    ]);
    await db('ballots').where({ id: 'open' }).update({ is_active: false, closed_at: testNow });
    clock.set(testNow + erasedAfterMs);
    await erase();
    const signedIn = await registered(app, 'ben');
    expect(signedIn.user.username).toBe('ben');
    await db('votes').whereNotNull('user_id').update({ user_id: signedIn.user.id });
    const own = (await ask<UserExport>(signedIn, '/api/user/export')).body.votes;
    expect(own).toEqual([
      {
        ...{ pollId: 'open', question: 'What about open?', optionId: 'o1', option: 'Answer 1' },
        ...{ createdAt: '2026-11-20T00:00:00.000Z', network: null, traits: null, nonce: null },
      },
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Vote, VoteCounter } from './vote-batch.ts';
import { benchVoterKey, startServer } from '#ci/bench/server-process.ts';
import { eachDatabase, oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { testNow } from '#api/testing/test-app.ts';
import { deviceDigest, newDigest, storedVotes } from '#api/testing/votes.ts';
import { createVotingIntake } from './intake.service.ts';
import { reconcile } from './reconcile.service.ts';

const newVote = (from: Partial<Vote['voter']> = {}): Vote => ({
  ballotId: 'p',
  kind: 'poll',
  optionId: 'o1',
  voter: { device: newDigest(), cookie: newDigest(), userId: null, ...from },
});

eachDatabase((open, engine) => {
  async function openIntake() {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    return { db, url, intake: createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger }) };
  }

  test('a vote that the database refuses fails alone; the others of its batch are recorded', async () => {
    const { db, intake } = await openIntake();
    const votes = Array.from({ length: 20 }, (_, n) => newVote(n === 7 ? { device: null as never } : {}));
    const outcomes = await Promise.allSettled(votes.map((vote) => intake.cast(vote)));
    await intake.drain();
    expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([7]);
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 19 });
  });

  test('[D2.20] the vote of an account deleted a moment ago is recorded without an account', async () => {
    const { db, intake } = await openIntake();
    const outcomes = await Promise.all([newVote({ userId: 'gone' }), newVote()].map((vote) => intake.cast(vote)));
    await intake.drain();
    expect(outcomes.map(({ status }) => status)).toEqual(['recorded', 'recorded']);
    expect(await db('votes').pluck('user_id')).toEqual([null, null]);
    expect(await db('ballots').pluck('total_votes')).toEqual([2]);
  });

  test('[D2.7] an account has one vote across devices and browsers', async () => {
    const { db, intake } = await openIntake();
    await db('users').insert({ id: 'u', username: 'u', username_key: 'u', password: '', created_at: 0, updated_at: 0 });
    const outcomes = await Promise.all([1, 2, 3].map(() => intake.cast(newVote({ userId: 'u' }))));
    await intake.drain();
    expect(outcomes.map(({ status }) => status)).toEqual(['recorded', 'already-voted', 'already-voted']);
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 1 });
  });

  test('within one batch, a second vote with the same voter cookie is refused', async () => {
    const { db, intake } = await openIntake();
    const cookie = newDigest();
    const outcomes = await Promise.all(
      [newVote({ cookie }), newVote({ cookie }), newVote()].map((v) => intake.cast(v)),
    );
    await intake.drain();
    expect(outcomes.map(({ status }) => status)).toEqual(['recorded', 'already-voted', 'recorded']);
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 2 });
  });

  test('a vote refused by its address’s limit does not use up its subnet’s, even within one batch', async () => {
    const { db, intake } = await openIntake();
    const counter = (limit: VoteCounter['limit'], key: string, points: number) => ({
      ...{ limit, key, points },
      resetsAt: testNow + 60_000,
    });
    const nearby = counter('pollVotesNearby', 'nearby', 3);
    const from = (address: string, points: number) => [counter('pollVotes', address, points), nearby];
    const twice = newVote();
    const votes: Vote[] = [
      ...[1, 2, 3].map(() => ({ ...newVote(), counters: from('here', 1) })),
      { ...twice, counters: from('there', 3) },
      // Not recorded, so they use up nothing.
      { ...twice, counters: from('there', 3) },
      { ...newVote(), optionId: 'none', counters: from('there', 3) },
      ...[1, 2].map(() => ({ ...newVote(), counters: from('there', 3) })),
    ];
    const outcomes = await Promise.all(votes.map((vote) => intake.cast(vote)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['recorded', 'rate-limited', 'rate-limited'],
      ...['recorded', 'already-voted', 'invalid-option'],
      ...['recorded', 'rate-limited'],
    ]);
    expect(outcomes[1]).toEqual({ status: 'rate-limited', limit: 'pollVotes', seconds: 60 });
    expect(outcomes.at(-1)).toMatchObject({ limit: 'pollVotesNearby' });
    expect(await db('attempts').orderBy('key').select('key', 'used')).toEqual([
      { key: 'here', used: 1 },
      { key: 'nearby', used: 3 },
      { key: 'there', used: 2 },
    ]);
    await intake.drain();
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 3 });
  });

  test('votes wait for another writer and are recorded when it is done', async () => {
    const { db, url, intake } = await openIntake();
    const other = openDatabase(url);
    const writing = await other.transaction();
    await writing('ballots').where({ id: 'p' }).update({ category: 'Another' });
    const outcome = intake.cast(newVote());
    await wait(100);
    await writing.commit();
    expect((await outcome).status).toBe('recorded');
    await intake.drain();
    await other.destroy();
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 1 });
  });

  if (engine === 'PostgreSQL')
    test('votes survive repeated disconnects by the database server', async () => {
      const { db, intake } = await openIntake();
      const outcomes: Promise<{ status: string }>[] = [];
      for (let n = 0; n < 60; n++) {
        outcomes.push(intake.cast(newVote()));
        if (n % 20 === 10)
          await db.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query like '%record_votes%' and pid <> pg_backend_pid()`,
          );
        else await wait(1);
      }
      expect(new Set((await Promise.all(outcomes)).map(({ status }) => status))).toEqual(new Set(['recorded']));
      await intake.drain();
      expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 60 });
    });
});

oneDatabase((open) => {
  test(
    '[D2.11 D2.12] no acknowledged vote is lost when the service is killed under load',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      const polls = ['p0', 'p1', 'p2'];
      const day = 86_400_000;
      await seedPolls(
        db,
        polls.map((id) => ({ id, startsAt: Date.now() - day, endsAt: Date.now() + day })),
      );
      const acknowledged: string[] = [];
      for (let round = 0; round < (runsSlow ? 3 : 1); round++) {
        const server = await startServer('./api.server.ts', { DATABASE_URL: url });
        let up = true;
        const visitor = async (n: number) => {
          while (up) {
            const device = `device_${randomUUID().replaceAll('-', '')}`;
            const answer = await fetch(`${server.origin}/api/polls/${polls[n % polls.length] ?? ''}/vote`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-device-id': device },
              body: '{"optionId":"o1"}',
            }).catch(() => null);
            if (answer?.status === 200) acknowledged.push(device);
            else if (answer) throw new Error(`A vote was answered with ${answer.status}.`);
          }
        };
        const visitors = Array.from({ length: 24 }, (_, n) => visitor(n));
        // Killed while votes are recorded, however slow the machine is.
        const enough = acknowledged.length + 50;
        while (acknowledged.length < enough) await wait(5);
        await wait(Math.random() * 400);
        await server.kill();
        up = false;
        await Promise.all(visitors);
      }
      const recorded = new Set((await storedVotes(db)).map(({ device }) => device));
      const lost = acknowledged.filter((device) => !recorded.has(deviceDigest(device, benchVoterKey)));
      expect(lost).toEqual([]);
      expect((await reconcile(db)).wrongCounters).toEqual([]);
    },
  );
});

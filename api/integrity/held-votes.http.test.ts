import { expect, test } from 'vitest';
import { countsByDay } from '#api/members/profile/timeline.service.ts';
import { eventsOf, expectAllAwarded } from '#api/testing/badge-state.ts';
import { ask } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { decide, expireHolds } from '#api/voting/decisions.service.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { rankOf } from '#domain/protection.ts';
import { holdDays } from './holds.service.ts';

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'quiet' }]);
    await db('ballots').where({ id: 'p' }).update({ challenge: 'on' });
    const app = await startTestApp(db);
    const hold = (voter: Visitor, optionId = 'o1', pollId = 'p') =>
      ask<{ receipt?: string; code?: string }>(voter, '/api/held-votes', 'POST', { pollId, optionId });
    const poll = async () => (await ask<Poll>(visitor(app), '/api/polls/p')).body;
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(task: () => Promise<T>) => task() } };
    return { db, app, hold, poll, context };
  }

  test('under attack, votes of browsers that can’t be checked are recorded with a receipt and held, one per browser', async () => {
    const { db, app, hold, poll } = await start();
    const voter = visitor(app);
    const { status, body } = await hold(voter);
    expect([status, typeof body.receipt]).toEqual([200, 'string']);
    expect(await hold(voter, 'o2')).toMatchObject({ status: 409, body: { code: 'ALREADY_VOTED', userVote: 'o1' } });
    await Promise.all([hold(visitor(app), 'o2'), hold(visitor(app), 'o2'), hold(visitor(app), 'o2')]);
    expect(await poll()).toMatchObject({
      ...{ totalVotes: 0, heldVotes: 4, receivedVotes: 4, setAsideVotes: 0 },
      interventions: [{ number: 1, action: 'hold', reason: 'unchecked-browser', votes: 4, state: 'held' }],
    });
    // Never an independent vote: no network is known of it.
    expect(await db('votes').whereNotNull('network')).toEqual([]);
    await expectExactCounters(db);
  });

  test('a held vote of a member is recorded like any other', async () => {
    const { db, app, hold } = await start();
    const anna = await registered(app, 'anna');
    expect((await hold(anna)).status).toBe(200);
    await hold(visitor(app));
    expect(await eventsOf(db, anna.user.id, 'vote.cast')).toMatchObject([{ kind: 'poll', subject: 'p' }]);
    expect(await countsByDay(db, anna.user.id)).toMatchObject([{ count: 1 }]);
    await expectAllAwarded(db);
  });

  test('no event tells the moment of a held vote', async () => {
    const { db, hold, app } = await start();
    expect((await hold(visitor(app))).status).toBe(200);
    expect(await db('events').where({ type: 'votes.held' })).toEqual([]);
  });

  test('held votes count once somebody has reviewed them; later ones are held again', async () => {
    const { db, app, hold, poll, context } = await start();
    for (const option of ['o1', 'o1', 'o2']) await hold(visitor(app), option);
    const { key } = await db('vote_decisions').first<{ key: number }>('key');
    // One joins while somebody decides.
    await Promise.all([decide(context, key, 'release', { actor: 'operator' }), hold(visitor(app), 'o3')]);
    await expectExactCounters(db);
    const { totalVotes, heldVotes } = await poll();
    expect(totalVotes + heldVotes!).toBe(4);
    expect(totalVotes).toBeGreaterThanOrEqual(3);
    await hold(visitor(app), 'o1');
    expect((await poll()).heldVotes).toBeGreaterThanOrEqual(1);
    await expectExactCounters(db);
  });

  test('held votes that nobody reviews in a week are set aside, not counted', async () => {
    const { db, app, hold, poll, context } = await start();
    await hold(visitor(app));
    await db('ballots').update({ ends_at: app.clock.now() + 30 * 86_400_000 });
    app.clock.set(app.clock.now() + holdDays * 86_400_000);
    expect(await expireHolds(context)).toEqual([]);
    expect(await poll()).toMatchObject({ totalVotes: 0, heldVotes: 0, setAsideVotes: 1 });
    await expectExactCounters(db);
  });

  test('only a missing check can be waited for, and only on an open poll', async () => {
    const { db, app, hold } = await start();
    expect(await hold(visitor(app), 'o1', 'quiet')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await hold(visitor(app), 'none')).toMatchObject({ status: 400, body: { code: 'INVALID_OPTION' } });
    expect(await hold(visitor(app), 'o1', 'none')).toMatchObject({ status: 404 });
    await db('ballots')
      .where({ id: 'quiet' })
      .update({ protection: rankOf('members') });
    expect(await hold(visitor(app), 'o1', 'quiet')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await db('ballots').where({ id: 'p' }).update({ ends_at: app.clock.now() });
    expect(await hold(visitor(app))).toMatchObject({ status: 409, body: { code: 'POLL_CLOSED' } });
    expect(await db('vote_decisions')).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { Statistics } from '#api/polls/polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { ask, castVote, invited, made, newPoll } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { deleteNextVotes } from '#api/voting/deletion.service.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { closePollsOf } from './ending.service.ts';
import { storedVotes } from '#api/testing/votes.ts';

const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    // Before and after the votes of deleted polls are deleted in the background.
    const exact = async (votes: number) => {
      expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: votes });
      while (await deleteNextVotes(db, { runExclusive: (task) => task() }));
      expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: votes });
    };
    return { db, url, app, anna, exact };
  }
  const close = (by: Visitor, id: string) =>
    ask<CommunityPoll & { code?: string }>(by, `/api/community-polls/${id}/close`, 'POST');
  const remove = (by: Visitor, id: string) => ask(by, `/api/community-polls/${id}`, 'DELETE');
  const figures = async (by: Visitor) => (await ask<Statistics>(by, '/api/statistics?v=2&t=1')).body;

  once('[D6.9] the creator closes a poll early: it shows its results and accepts no more votes', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna, { endsAt: iso(testNow + day) });
    await castVote(visitor(app), id, 'option-2');
    app.clock.set(testNow + 60_000);
    const { status, body } = await close(anna, id);
    expect([status, body.isActive, body.closedAt, body.endsAt]).toEqual([
      200,
      false,
      iso(testNow + 60_000),
      iso(testNow + day),
    ]);
    expect(body.options.map(({ votes }) => votes)).toEqual([0, 1]);
    expect((await castVote(visitor(app), id)).body.code).toBe('POLL_CLOSED');
    const again = await close(anna, id);
    expect([again.status, again.body.code]).toEqual([409, 'POLL_CLOSED']);
    await exact(1);
  });

  once('a poll that has ended can’t be closed again, and one that has not started can be closed', async () => {
    const { app, anna } = await start();
    const over = await made(anna, { endsAt: iso(testNow + 1) });
    const later = await made(anna, { startsAt: iso(testNow + day) });
    app.clock.set(testNow + 1);
    expect((await close(anna, over.id)).body.code).toBe('POLL_CLOSED');
    expect((await close(anna, later.id)).body).toMatchObject({ isActive: false, closedAt: iso(testNow + 1) });
    app.clock.set(testNow + 2 * day);
    expect((await castVote(visitor(app), later.id)).body.code).toBe('POLL_CLOSED');
  });

  test('twenty concurrent requests close a poll once', async () => {
    const { anna } = await start();
    const { id } = await made(anna);
    const answers = await Promise.all(Array.from({ length: 20 }, () => close(anna, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'POLL_CLOSED')).toHaveLength(19);
  });

  once('a poll closes automatically at its end; the pages of a public one follow at once', async () => {
    const { db, anna } = await start();
    const { id } = await made(anna, { visibility: 'private', endsAt: iso(testNow + 1) });
    expect(await closeDue({ db, clock: fixedClock(testNow + 9) })).toEqual([id]);
    expect(await waitingPages(db)).toEqual([]);
    expect(await db('ballots').first('is_active', 'closed_at')).toEqual({
      is_active: expect.toSatisfy((value) => !value) as boolean,
      closed_at: testNow + 1,
    });
    const listed = await made(anna, { endsAt: iso(testNow + day) });
    await forgetPages(db);
    expect(await closeDue({ db, clock: fixedClock(testNow + 2 * day) })).toEqual([listed.id]);
    expect(await waitingPages(db).select('kind', 'key', 'at')).toEqual([
      { kind: 'community', key: listed.id, at: testNow + 2 * day },
    ]);
    await expectExactCounters(db);
  });

  test('[D6.9] deleting a poll deletes its votes, guests, and comments; its voters stay participants', async () => {
    const { db, app, anna, exact } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { visibility: 'private' });
    const kept = await made(anna);
    await invited(anna, id, 'ben');
    await castVote(anna, id);
    await castVote(ben, id);
    await castVote(ben, kept.id);
    await db('comments').insert({
      id: 'c',
      poll_id: id,
      user_id: ben.user.id,
      content: 'x',
      created_at: 0,
      updated_at: 0,
    });
    const before = await figures(anna);
    expect((await remove(anna, id)).status).toBe(204);
    expect(await figures(anna)).toEqual(before);
    for (const table of ['community_poll_guests', 'comments']) expect(await db(table)).toEqual([]);
    for (const path of ['', '/vote/status?fingerprint=device_abcdefgh1234', '/invites', '/comments'])
      expect((await ask(anna, `/api/community-polls/${id}${path}`)).body.code).toBe('POLL_NOT_FOUND');
    expect((await castVote(ben, id)).body.code).toBe('POLL_NOT_FOUND');
    expect((await remove(anna, id)).body.code).toBe('POLL_NOT_FOUND');
    await exact(1);
  });

  test('[D3.1 D3.5] a deleted public poll and its votes leave the headline figures; its voters stay counted once', async () => {
    const { app, anna, exact } = await start();
    const polls = [await made(anna), await made(anna), await made(anna)];
    const voters = Array.from({ length: 6 }, () => visitor(app));
    // The first three vote on all polls, the others on the first only.
    for (const [n, poll] of polls.entries())
      for (const voter of n === 0 ? voters : voters.slice(0, 3)) await castVote(voter, poll.id);
    expect(await figures(anna)).toMatchObject({ totalVotes: 12, totalParticipants: 6, totalPolls: 3 });
    await remove(anna, polls[0]!.id);
    expect(await figures(anna)).toMatchObject({ totalVotes: 6, totalParticipants: 6, totalPolls: 2 });
    await exact(6);
    for (const voter of voters.slice(2)) await castVote(voter, polls[1]!.id);
    expect(await figures(anna)).toMatchObject({ totalVotes: 9, totalParticipants: 6, totalPolls: 2 });
    await exact(9);
    for (const poll of polls.slice(1)) await remove(anna, poll.id);
    expect(await figures(anna)).toMatchObject({ totalVotes: 0, totalParticipants: 6, totalPolls: 0 });
    const { id } = await made(anna);
    for (const voter of voters) await castVote(voter, id);
    await castVote(visitor(app), id);
    expect(await figures(anna)).toMatchObject({ totalVotes: 7, totalParticipants: 7, totalPolls: 1 });
    await exact(7);
  });

  test('[D3.2] participants stay exact when browsers with new device ids link voters, in whatever order polls are deleted', async () => {
    const { app, anna, exact } = await start();
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
      [2, 0, 3, 1],
    ]) {
      const polls = await Promise.all([0, 1, 2, 3].map(() => made(anna)));
      const browser = visitor(app);
      const other = visitor(app);
      await castVote(browser, polls[0]!.id);
      await castVote(other, polls[1]!.id);
      // One more device in the first browser, and the second device with the first browser's cookie.
      await castVote({ ...browser, device: visitor(app).device }, polls[2]!.id);
      await castVote({ ...browser, device: other.device }, polls[3]!.id);
      const { totalParticipants } = await figures(anna);
      for (const [n, place] of order.entries()) {
        await remove(anna, polls[place]!.id);
        await exact(3 - n);
        expect((await figures(anna)).totalParticipants).toBe(totalParticipants);
      }
    }
    const { totalParticipants } = await figures(anna);
    expect(totalParticipants).toBe(8);
  });

  test('votes concurrent with the deletion of their poll are deleted with it or refused; nothing is left over', async () => {
    const { db, url, app, anna, exact } = await start();
    await seedPolls(db, [{ id: 'weekly' }]);
    const otherDb = openDatabase(url);
    const other = await startTestApp(otherDb);
    try {
      for (let round = 0; round < 3; round++) {
        const doomed = await made(anna);
        const kept = await made(anna);
        const voters = Array.from({ length: 60 }, (_, n) => visitor(n % 2 === 0 ? app : other));
        const votes: Promise<{ status: number }>[] = [];
        const cast = (from: number) => {
          for (const voter of voters.slice(from, from + 30))
            votes.push(
              castVote(voter, doomed.id),
              castVote(voter, kept.id),
              ask(voter, '/api/polls/weekly/vote', 'POST', { optionId: 'o1' }),
            );
        };
        cast(0);
        const deleting = votes[20]!.then(() => remove(anna, doomed.id));
        cast(30);
        const answers = await Promise.all(votes);
        expect((await deleting).status).toBe(204);
        expect(answers.filter((_, n) => n % 3 === 0).every(({ status }) => status === 200 || status === 404)).toBe(
          true,
        );
        expect(answers.filter((_, n) => n % 3 === 1).every(({ status }) => status === 200)).toBe(true);
        expect((await storedVotes(db)).filter(({ ballot_id }) => ballot_id === doomed.id)).toEqual([]);
        await exact((round + 1) * 120);
        const { totalPolls, totalVotes } = await figures(anna);
        expect([totalPolls, totalVotes]).toEqual([2 + round, (round + 1) * 120]);
      }
      // Everyone has voted, and nobody is counted twice.
      expect((await figures(anna)).totalParticipants).toBe(180);
    } finally {
      await other.close();
      await otherDb.destroy();
    }
  });

  test('concurrent deletions of polls wait for each other instead of failing', async () => {
    const { app, anna, exact } = await start();
    const polls = await Promise.all(Array.from({ length: 6 }, () => made(anna)));
    const voters = Array.from({ length: 10 }, () => visitor(app));
    await Promise.all(voters.flatMap((voter) => polls.map(({ id }) => castVote(voter, id))));
    const answers = await Promise.all(polls.flatMap(({ id }) => [remove(anna, id), remove(anna, id)]));
    expect(answers.map(({ status }) => status).sort()).toEqual([...polls.map(() => 204), ...polls.map(() => 404)]);
    expect((await figures(anna)).totalParticipants).toBe(10);
    await exact(0);
  });

  test('concurrent creations and deletions of polls wait for each other instead of failing', async () => {
    const { anna, exact } = await start();
    const polls = await Promise.all(Array.from({ length: 8 }, () => made(anna)));
    const answers = await Promise.all(
      polls.flatMap(({ id }) => [ask(anna, '/api/community-polls', 'POST', newPoll), remove(anna, id)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(polls.flatMap(() => [201, 204]));
    await exact(0);
  });

  once('deleting an account closes its open polls and no others', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const mine = [
      await made(anna),
      await made(anna, { visibility: 'private' }),
      await made(anna, { startsAt: iso(testNow + day) }),
    ];
    const over = await made(anna, { endsAt: iso(testNow + 1) });
    const theirs = await made(ben);
    await forgetPages(db);
    await db.transaction((trx) => closePollsOf(trx, anna.user.id, testNow + 5));
    const changes = await waitingPages(db).select<{ key: string; event: string | null }[]>('key', 'event');
    expect(new Map(changes.map(({ key, event }) => [key, event]))).toEqual(
      new Map([
        [mine[0]!.id, 'closed'],
        [mine[2]!.id, 'closed'],
        [over.id, null],
      ]),
    );
    const closedAt = new Map((await db('ballots').select('id', 'closed_at')).map((row) => [row.id, row.closed_at]));
    for (const { id } of mine) expect(closedAt.get(id)).toBe(testNow + 5);
    // The sweep closes what had ended before, at its own end.
    expect([closedAt.get(over.id), closedAt.get(theirs.id)]).toEqual([null, null]);
  });
});

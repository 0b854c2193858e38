import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { ask, made, newPoll } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { choicesText } from '#texts/choices.ts';
import { decide, setAside } from './decisions.service.ts';
import { createVotingIntake } from './intake.service.ts';
import { recountAll } from './reconcile.service.ts';
import type { Vote } from './vote-batch.ts';

let app: TestApp;
afterEach(() => app.close());

const letters = ['a', 'b', 'c', 'd'];
const options = letters.map((text, index) => ({ id: `option-${index + 1}`, text }));
const ids = (...numbers: readonly number[]) => numbers.map((number) => `option-${number}`);

const vote = (browser: Visitor, pollId: string, body: object) =>
  ask<CommunityPoll & ErrorBody & { receipt: string }>(browser, `/api/community-polls/${pollId}/vote`, 'POST', {
    ...body,
    voterFingerprint: browser.device,
  });

const countersOf = async (db: Database, id: string) => {
  const [ballot] = await db('ballots').where({ id }).select('total_votes', 'set_aside_votes', 'held_votes');
  const rows = await db('ballot_options').where({ ballot_id: id }).orderBy('position').select('votes', 'set_aside');
  return {
    ballot: Object.values(ballot as object).map(Number),
    options: rows.map((row: { votes: number; set_aside: number }) => [row.votes, row.set_aside].join()),
  };
};

eachDatabase((open) => {
  /** A poll on which a vote chooses two or three of four options. */
  async function start({ min = 2, max = 3 } = {}) {
    const { db } = await open();
    app = await startTestApp(db);
    const creator = await registered(app, 'carla');
    const { id } = await made(creator, { options, method: 'several', minChoices: min, maxChoices: max });
    return { db, id, creator };
  }

  test('a vote for several options counts for each of them, and as one voter', async () => {
    const { db, id } = await start();
    const anna = visitor(app);
    const first = await vote(anna, id, { optionIds: ids(3, 1) });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({
      ...{ method: 'several', minChoices: 2, maxChoices: 3, totalVotes: 1, hasVoted: true },
      ...{ userVote: 'option-1', userVotes: ids(1, 3) },
    });
    expect(first.body.options.map(({ votes }) => votes)).toEqual([1, 0, 1, 0]);
    expect(first.body.receipt).toMatch(/^[0-9A-Z-]{34}$/);
    await Promise.all(
      [
        [1, 2, 3],
        [2, 4],
        [1, 2],
      ].map((some) => vote(visitor(app), id, { optionIds: ids(...some) })),
    );
    const { body } = await ask<CommunityPoll>(anna, `/api/community-polls/${id}`);
    expect([body.totalVotes, body.options.map(({ votes }) => votes)]).toEqual([4, [3, 3, 2, 1]]);
    expect(body).toMatchObject({ userVote: 'option-1', userVotes: ids(1, 3) });
    await expectExactCounters(db);
  });

  test('a second vote is refused with the first one, receipt and all, whatever it chooses', async () => {
    const { db, id } = await start();
    const anna = visitor(app);
    const { body: first } = await vote(anna, id, { optionIds: ids(4, 2) });
    for (const optionIds of [ids(4, 2), ids(1, 2, 3), ids(1)]) {
      const { status, body } = await vote(anna, id, { optionIds });
      expect([status, body.code, body.receipt]).toEqual([409, 'ALREADY_VOTED', first.receipt]);
      expect([body.userVote, body.userVotes]).toEqual(['option-2', ids(2, 4)]);
      expect(body.poll).toMatchObject({ totalVotes: 1, userVotes: ids(2, 4) });
    }
    const status = await ask(anna, `/api/community-polls/${id}/vote/status?fingerprint=${anna.device}`);
    expect(status.body).toEqual({ hasVoted: true, optionId: 'option-2', optionIds: ids(2, 4) });
    expect((await countersOf(db, id)).options).toEqual(['0,0', '1,0', '0,0', '1,0']);
    await expectExactCounters(db);
  });

  test('a vote with too few, too many, repeated, unknown, or no options is refused, and changes nothing', async () => {
    const { db, id } = await start();
    const wrong = async (body: object) => {
      const answer = await vote(visitor(app), id, body);
      return [answer.status, answer.body.code, answer.body.message];
    };
    const number = [400, 'VALIDATION_FAILED', choicesText({ min: 2, max: 3 })];
    expect(await wrong({ optionIds: ids(1) })).toEqual(number);
    expect(await wrong({ optionId: 'option-1' })).toEqual(number);
    expect(await wrong({ optionIds: ids(1, 2, 3, 4) })).toEqual(number);
    expect((await wrong({ optionIds: ids(1, 1) })).slice(0, 2)).toEqual([400, 'VALIDATION_FAILED']);
    expect((await wrong({ optionIds: ids(1, 7) }))[1]).toBe('INVALID_OPTION');
    expect((await wrong({ optionIds: ['option-1', '\0'] }))[1]).toBe('INVALID_OPTION');
    for (const body of [
      {},
      { optionIds: [] },
      { optionId: 'option-1', optionIds: ids(1, 2) },
      { optionIds: 'option-1' },
    ])
      expect((await wrong(body)).slice(0, 2)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await countersOf(db, id)).toEqual({ ballot: [0, 0, 0], options: ['0,0', '0,0', '0,0', '0,0'] });
    const { id: single } = await made(await registered(app, 'dora'), { options });
    const { body } = await vote(visitor(app), single, { optionIds: ids(1, 2) });
    expect([body.code, body.message]).toEqual(['VALIDATION_FAILED', choicesText({ min: 1, max: 1 })]);
    const { body: one } = await vote(visitor(app), single, { optionIds: ids(2) });
    expect(one).toMatchObject({ totalVotes: 1, userVote: 'option-2' });
    expect(one).not.toHaveProperty('userVotes');
    await expectExactCounters(db);
  });

  test('votes set aside, held, and released are taken out of every option that they choose, and put back', async () => {
    const { db, id } = await start();
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const cast = (optionIds: readonly string[], network: number) =>
      intake.cast({
        ...{
          ballotId: id,
          kind: 'community',
          optionId: optionIds[0]!,
          further: optionIds.slice(1),
          network,
          traits: 0,
        },
        voter: { device: newDigest(), cookie: newDigest(), userId: null },
      } satisfies Vote);
    await Promise.all([
      ...Array.from({ length: 5 }, () => cast(ids(1, 2), 7)),
      ...Array.from({ length: 4 }, () => cast(ids(3, 2, 4), 9)),
    ]);
    const context = { db, clock, intake };
    const by = { actor: 'operator', note: 'seen in the log', reason: 'automated-network' } as const;
    const decision = await setAside(context, { ballotId: id, cluster: { networks: [9] }, ...by });
    expect(await countersOf(db, id)).toEqual({ ballot: [5, 4, 0], options: ['5,0', '5,4', '0,4', '0,4'] });
    await expectExactCounters(db);
    await decide(context, decision.key, 'release', { actor: 'operator', note: 'no' });
    expect(await countersOf(db, id)).toEqual({ ballot: [9, 0, 0], options: ['5,0', '9,0', '4,0', '4,0'] });
    // Also an option that the votes name beside others.
    await setAside(context, { ballotId: id, cluster: { optionId: 'option-4' }, ...by });
    expect(await countersOf(db, id)).toEqual({ ballot: [5, 4, 0], options: ['5,0', '5,4', '0,4', '0,4'] });
    await expectExactCounters(db);
    await db('ballot_options').where({ ballot_id: id }).update({ votes: 77, set_aside: 1 });
    await recountAll(db);
    expect(await countersOf(db, id)).toEqual({ ballot: [5, 4, 0], options: ['5,0', '5,4', '0,4', '0,4'] });
    await intake.drain();
  });

  test('a vote that waits for a review names all its options, and counts for each once it is counted', async () => {
    const { db, id } = await start();
    await db('ballots').where({ id }).update({ challenge: 'on' });
    const anna = visitor(app);
    const hold = (browser: Visitor, optionIds: readonly string[]) =>
      ask<ErrorBody & { receipt: string }>(browser, '/api/held-votes', 'POST', { pollId: id, optionIds });
    expect((await hold(visitor(app), ids(1))).body.message).toBe(choicesText({ min: 2, max: 3 }));
    const { status, body } = await hold(anna, ids(4, 2));
    expect([status, typeof body.receipt]).toEqual([200, 'string']);
    expect((await hold(anna, ids(1, 3))).body).toMatchObject({ code: 'ALREADY_VOTED', userVotes: ids(2, 4) });
    expect(await countersOf(db, id)).toEqual({ ballot: [0, 1, 1], options: ['0,0', '0,1', '0,0', '0,1'] });
    await expectExactCounters(db);
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(task: () => Promise<T>) => task() } };
    const { key } = await db('vote_decisions').first<{ key: number }>('key');
    await decide(context, key, 'release', { actor: 'operator' });
    expect(await countersOf(db, id)).toEqual({ ballot: [1, 0, 0], options: ['0,0', '1,0', '0,0', '1,0'] });
    await expectExactCounters(db);
  });

  test('a member finds every option of a vote in activities and export', async () => {
    const { id } = await start();
    const bert = await registered(app, 'bert');
    expect((await vote(bert, id, { optionIds: ids(2, 3) })).status).toBe(200);
    const { body } = await ask<{ votes: unknown[] }>(bert, '/api/user/export');
    expect(body.votes).toEqual([
      expect.objectContaining({ optionId: 'option-2', option: 'b', further: [{ optionId: 'option-3', option: 'c' }] }),
    ]);
    const { body: activities } = await ask<{ activities: { choice: string | null }[] }>(bert, '/api/user/activities');
    expect(JSON.stringify(activities)).toContain('"choice":"b, c"');
  });

  test('a creator asks for several options, by default any number, until the first vote', async () => {
    const { db, id, creator } = await start();
    const create = (more: object) => ask(creator, '/api/community-polls', 'POST', { ...newPoll, options, ...more });
    const edit = (of: string, body: object) =>
      ask<CommunityPoll & ErrorBody>(creator, `/api/community-polls/${of}`, 'PATCH', body);
    expect(await made(creator, { options, method: 'several' })).toMatchObject({ minChoices: 1, maxChoices: 4 });
    for (const [more, field] of [
      [{ method: 'several', maxChoices: 5 }, 'maxChoices'],
      [{ method: 'several', maxChoices: 1 }, 'maxChoices'],
      [{ method: 'several', minChoices: 3, maxChoices: 2 }, 'minChoices'],
      [{ minChoices: 1 }, 'method'],
      [{ method: 'single', maxChoices: 2 }, 'method'],
      [{ method: 'other' }, 'method'],
    ] as const) {
      const { status, body } = await create(more);
      expect([status, body.errors?.map((error) => error.field)], JSON.stringify(more)).toEqual([400, [field]]);
    }

    // Fewer options than the most: all of them.
    const fewer = (await edit(id, { options: [{ text: 'a' }, { text: 'b' }] })).body;
    expect(fewer).toMatchObject({ minChoices: 2, maxChoices: 2 });
    expect((await edit(id, { maxChoices: 3 })).body.errors?.map(({ field }) => field)).toEqual(['maxChoices']);
    const single = await edit(id, { method: 'single' });
    expect([single.status, single.body.method, single.body.maxChoices]).toEqual([200, undefined, undefined]);
    const { body: again } = await edit(id, { method: 'several' });
    expect(again).toMatchObject({ method: 'several', minChoices: 1, maxChoices: 2 });
    // A page from before an edit has other ids.
    expect((await vote(visitor(app), id, { optionIds: ids(1, 2) })).body.code).toBe('INVALID_OPTION');
    const { body: voted } = await vote(visitor(app), id, { optionIds: again.options.map((option) => option.id) });
    expect(voted).toMatchObject({ totalVotes: 1, userVotes: again.options.map((option) => option.id) });
    expect((await edit(id, { method: 'single' })).body.code).toBe('CONFLICT');
    expect((await edit(id, { description: 'Later.', method: 'several' })).status).toBe(200);
    await expectExactCounters(db);
  });

  test('the database refuses numbers that no ballot can have, and several choices on a weekly poll', async () => {
    const { db, id } = await start();
    const set = (columns: object) => db('ballots').where({ id }).update(columns);
    for (const columns of [
      { min_choices: 0 },
      { min_choices: 4 },
      { method: 'single' },
      { method: 'several', min_choices: 1, max_choices: 1 },
      { method: 'other' },
      { kind: 'poll', ends_at: testNow + 1e9 },
    ])
      await expect(set(columns), JSON.stringify(columns)).rejects.toThrow(/constraint/i);
  });
});

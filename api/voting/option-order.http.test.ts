import { afterEach, expect, test } from 'vitest';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';

let app: TestApp;
afterEach(() => app.close());

const vote = (headers: Record<string, string>, pollId = 'p') =>
  visitor(app).fetch(`/api/polls/${pollId}/vote`, { method: 'POST', json: { optionId: 'o2' }, headers });
const order = { 'x-option-order': 'random' };

eachDatabase((open) => {
  test('votes in the published order of a poll whose order varies are counted apart, and no others', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    await db('ballots').where({ id: 'p' }).update({ option_order: 'random-1' });
    app = await startTestApp(db);
    const answers = await Promise.all([vote({}), vote(order), vote(order), vote({}, 'q'), vote(order, 'q')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const read = async (id: string) => (await ask<Poll>(visitor(app), `/api/polls/${id}`)).body;
    expect(await read('p')).toMatchObject({
      totalVotes: 3,
      optionOrder: 'random-1',
      votesApart: { publishedOrder: 1 },
    });
    expect(await read('q')).not.toHaveProperty('votesApart');
    expect(await read('q')).not.toHaveProperty('optionOrder');
    await expectExactCounters(db);
  });

  test('a held vote in the published order is counted apart where the order varies', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    await db('ballots').update({ challenge: 'on' });
    await db('ballots').where({ id: 'p' }).update({ option_order: 'random' });
    app = await startTestApp(db);
    for (const pollId of ['p', 'q'])
      expect((await ask(visitor(app), '/api/held-votes', 'POST', { pollId, optionId: 'o1' })).status).toBe(200);
    const counts = await db('ballot_options').where({ option_id: 'o1' }).orderBy('ballot_id');
    expect(counts.map(({ votes_in_published_order: count }) => count)).toEqual([1, 0]);
    await expectExactCounters(db);
  });

  test('new community polls have a random order unless their options are steps of a scale', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const asked = async (options: readonly string[], more = {}) => {
      const { id } = await made(anna, {
        options: options.map((text, index) => ({ id: `option-${index + 1}`, text })),
        ...more,
      });
      return id;
    };
    const orderOf = async (id: string) =>
      (await ask<CommunityPoll>(anna, `/api/community-polls/${id}`)).body.optionOrder;
    const drinks = await asked(['Tea', 'Coffee', 'Other']);
    expect(await orderOf(drinks)).toBe('random-1');
    expect(await orderOf(await asked(['Agree', 'Neutral', 'Disagree']))).toBeUndefined();
    expect(await orderOf(await asked(['Tea', 'Coffee', 'Other'], { optionOrder: 'fixed' }))).toBeUndefined();
    // It follows the options until somebody votes.
    const edit = (options: readonly string[]) =>
      ask(anna, `/api/community-polls/${drinks}`, 'PATCH', { options: options.map((text) => ({ text })) });
    expect((await edit(['Never', 'Sometimes', 'Always'])).status).toBe(200);
    expect(await orderOf(drinks)).toBeUndefined();
    expect((await castVote(visitor(app), drinks, 'option-1-1')).status).toBe(200);
    expect((await edit(['Tea', 'Coffee'])).status).toBe(409);
  });
});

import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import type { InterventionList } from './interventions.contract.ts';
import type { HistoricalPage, Poll, Statistics } from '#api/polls/polls.contract.ts';
import { compileSchema } from '#platform/validation.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedDecision } from '#api/testing/decisions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const day = 86_400_000;

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function withPolls() {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'attacked', votes: [2_201, 3], closedAt: testNow - day },
      { id: 'open', votes: [60, 7] },
      { id: 'quiet', votes: [5, 5], closedAt: testNow - 2 * day },
    ]);
    await seedDecision(db, 'attacked', { votes: 2_200, state: 'set-aside', reason: 'automated-network' });
    await seedDecision(db, 'open', { votes: 40, state: 'held', reason: 'unusual-rate' });
    await seedDecision(db, 'open', { number: 2, votes: 9, state: 'released', reason: 'new-accounts' });
    app = await startTestApp(db);
    return { db, app };
  }
  const read = async <T>(path: string) => (await (await app!.fetch(path)).json()) as T;

  test('a poll says how many votes were received, counted, set aside, and held, and names every decision', async () => {
    await withPolls();
    const attacked = await read<Poll>('/api/polls/attacked');
    expect(compileSchema(endpoints.poll.response, 'json')(attacked)).toBe(true);
    expect(attacked).toMatchObject({ totalVotes: 4, receivedVotes: 2_204, setAsideVotes: 2_200, heldVotes: 0 });
    expect(attacked.options.map(({ votes }) => votes)).toEqual([1, 3]);
    expect(attacked.interventions).toEqual([
      { number: 1, action: 'set-aside', reason: 'automated-network', votes: 2_200, state: 'set-aside' },
    ]);
    expect(await read<Poll>('/api/polls/open')).toMatchObject({
      totalVotes: 27,
      receivedVotes: 67,
      setAsideVotes: 0,
      heldVotes: 40,
      interventions: [
        { number: 1, action: 'hold', state: 'held' },
        { number: 2, action: 'hold', state: 'released' },
      ],
    });
  });

  test('a poll without any decision has the same members as ever, and so do lists', async () => {
    await withPolls();
    expect(await read<Poll>('/api/polls/quiet')).not.toHaveProperty('receivedVotes');
    const { polls } = await read<HistoricalPage>('/api/polls/historical/paginated');
    expect(polls.map((poll) => [poll.id, poll.totalVotes, poll.receivedVotes])).toEqual([
      ['attacked', 4, 2_204],
      ['quiet', 10, undefined],
    ]);
    const [active] = await read<Poll[]>('/api/polls/active');
    expect(active).toMatchObject({ id: 'open', heldVotes: 40 });
  });

  test('the answer to a vote has the figures with this vote in them', async () => {
    const { app: running } = await withPolls();
    for (const expected of [68, 69]) {
      const answer = await visitor(running).fetch('/api/polls/open/vote', { method: 'POST', json: { optionId: 'o2' } });
      const poll = (await answer.json()) as Poll;
      expect(compileSchema(endpoints.vote.response, 'json')(poll)).toBe(true);
      expect(poll).toMatchObject({ totalVotes: expected - 40, receivedVotes: expected, heldVotes: 40 });
    }
  });

  test('a community poll discloses its figures to everybody who may open it', async () => {
    const { db, app: running } = await withPolls();
    const ben = await registered(running, 'ben');
    const { id } = await made(ben);
    for (const voter of [ben, visitor(running), visitor(running)]) await castVote(voter, id, 'option-1');
    await seedDecision(db, id, { votes: 2, state: 'set-aside', reason: 'automated-networks' });
    const seen = await read<CommunityPoll>(`/api/community-polls/${id}`);
    expect(compileSchema(endpoints.communityPoll.response, 'json')(seen)).toBe(true);
    expect(seen).toMatchObject({ totalVotes: 1, receivedVotes: 3, setAsideVotes: 2, heldVotes: 0 });
    const [listed] = await read<CommunityPoll[]>('/api/community-polls');
    expect(listed).toMatchObject({ id, receivedVotes: 3, interventions: [{ reason: 'automated-networks' }] });
  });

  test('the list of interventions has the totals of all listed polls, and their decisions, newest first', async () => {
    await withPolls();
    const list = await read<InterventionList>('/api/integrity');
    expect(compileSchema(endpoints.interventions.response, 'json')(list)).toBe(true);
    const { totalVotes } = await read<Statistics>('/api/statistics');
    expect(list).toMatchObject({
      receivedVotes: 2_204 + 67 + 10,
      countedVotes: totalVotes,
      setAsideVotes: 2_200,
      heldVotes: 40,
      decisions: 3,
    });
    expect(list.countedVotes + list.setAsideVotes + list.heldVotes).toBe(list.receivedVotes);
    expect(list.interventions.map(({ poll, state }) => [poll.id, poll.question, state])).toEqual([
      ['open', 'What about open?', 'released'],
      ['open', 'What about open?', 'held'],
      ['attacked', 'What about attacked?', 'set-aside'],
    ]);
  });

  test('the list of interventions never names a private or unlisted poll', async () => {
    const { db, app: running } = await withPolls();
    const ben = await registered(running, 'ben');
    for (const visibility of ['private', 'unlisted'] as const) {
      const { id } = await made(ben, { visibility });
      await db('vote_decisions').insert({
        ...(await db('vote_decisions')
          .select('action', 'state', 'reason', 'votes', 'cluster', 'made_by', 'made_at')
          .first()),
        ...{ ballot_key: db('ballots').where({ id }).select('key'), number: 1, first_id: 1, last_id: 1 },
      });
    }
    const list = await read<InterventionList>('/api/integrity');
    expect(list.decisions).toBe(3);
    expect(new Set(list.interventions.map(({ poll }) => poll.id))).toEqual(new Set(['attacked', 'open']));
  });

  test('a member can turn published ballots off for a new public poll, and its page says so', async () => {
    const { app: running } = await withPolls();
    const ben = await registered(running, 'ben');
    const [on, off] = [await made(ben), await made(ben, { publishBallots: false })];
    expect(await read<CommunityPoll>(`/api/community-polls/${on.id}`)).not.toHaveProperty('publishBallots');
    expect(await read<CommunityPoll>(`/api/community-polls/${off.id}`)).toMatchObject({ publishBallots: false });
  });

  test('the operator can turn published ballots off until a poll opens, and not afterward', async () => {
    const { db, app: running } = await withPolls();
    await seedPolls(db, [{ id: 'later', startsAt: testNow + day, endsAt: testNow + 2 * day }]);
    const context = { db, clock: running.clock };
    expect(await editPoll(context, 'later', { publishBallots: false })).toBe(true);
    expect(await editPoll(context, 'later', { publishBallots: false })).toBe(false);
    await expect(editPoll(context, 'open', { publishBallots: false })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await editPoll(context, 'open', { publishBallots: true })).toBe(false);
    running.clock.set(testNow + day);
    await expect(editPoll(context, 'later', { publishBallots: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read<Poll>('/api/polls/later')).toMatchObject({ publishBallots: false });
    expect(await read<Poll>('/api/polls/open')).not.toHaveProperty('publishBallots');
  });
});

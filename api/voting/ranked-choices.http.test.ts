import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { instantRunoff } from '#domain/verification/instant-runoff.ts';
import { ask, made, newPoll } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { askAdmin } from '#api/testing/operators.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { choicesText } from '#texts/choices.ts';
import { decide, setAside } from './decisions.service.ts';
import { createVotingIntake } from './intake.service.ts';
import { recountAll } from './reconcile.service.ts';

let app: TestApp;
afterEach(() => app.close());

const options = ['a', 'b', 'c', 'd'].map((text, index) => ({ id: `option-${index + 1}`, text }));
const ids = (...numbers: readonly number[]) => numbers.map((number) => `option-${number}`);

const vote = (browser: Visitor, pollId: string, body: object) =>
  ask<CommunityPoll & ErrorBody & { receipt: string }>(browser, `/api/community-polls/${pollId}/vote`, 'POST', {
    ...body,
    voterFingerprint: browser.device,
  });

const roundsOf = ({ runoff }: CommunityPoll) =>
  runoff?.rounds.map(({ votes, exhausted }) => [...votes.map((one) => one ?? '–'), exhausted].join(' '));

eachDatabase((open) => {
  /** A poll on which a vote ranks up to three of four options. */
  async function start(body: object = {}) {
    const { db } = await open();
    app = await startTestApp(db);
    const creator = await registered(app, 'carla');
    const poll = await made(creator, { options, method: 'ranked', maxChoices: 3, ...body });
    return { db, id: poll.id, creator, poll };
  }

  test('a ranked vote counts for its favorite, until a round eliminates that', async () => {
    const { db, id, creator, poll } = await start({ resultVisibility: 'always' });
    expect(poll).toMatchObject({ method: 'ranked', minChoices: 1, maxChoices: 3, userVotes: [] });
    const anna = visitor(app);
    const first = await vote(anna, id, { optionIds: ids(3, 1) });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({ totalVotes: 1, userVote: 'option-3', userVotes: ids(3, 1) });
    // Two counts, one vote apart, would show how somebody voted.
    expect(first.body.runoff).toBeUndefined();
    for (const optionIds of [ids(1), ids(2, 3), ids(2, 1), ids(1, 2, 3), ids(4)])
      expect((await vote(visitor(app), id, { optionIds })).status).toBe(200);
    const live = await ask<CommunityPoll>(anna, `/api/community-polls/${id}`);
    expect([live.body.options.map(({ votes }) => votes), live.body.runoff]).toEqual([[2, 2, 1, 1], undefined]);
    await ask(creator, `/api/community-polls/${id}/close`, 'POST');
    const { body } = await ask<CommunityPoll>(anna, `/api/community-polls/${id}`);
    expect(body.options.map(({ votes }) => votes)).toEqual([2, 2, 1, 1]);
    expect(roundsOf(body)).toEqual(['2 2 1 1 0', '2 2 1 – 1', '3 2 – – 1']);
    expect(body.runoff!.rounds.map(({ eliminated, byRule }) => [eliminated, byRule])).toEqual([
      [3, true],
      [2, false],
      [null, false],
    ]);
    expect(body).toMatchObject({ totalVotes: 6, userVotes: ids(3, 1), runoff: { winner: 0 } });
    const status = await ask(anna, `/api/community-polls/${id}/vote/status?fingerprint=${anna.device}`);
    expect(status.body).toEqual({ hasVoted: true, optionId: 'option-3', optionIds: ids(3, 1) });
    const { body: again } = await vote(anna, id, { optionIds: ids(1) });
    expect(again).toMatchObject({ code: 'ALREADY_VOTED', receipt: first.body.receipt, userVotes: ids(3, 1) });
    // A list of polls has no rounds.
    const { body: list } = await ask<CommunityPoll[]>(creator, '/api/community-polls');
    expect(list.map((one) => [one.id, one.method, 'runoff' in one])).toEqual([[id, 'ranked', false]]);
    await expectExactCounters(db);
  });

  test('a ranking with too few, too many, repeated, unknown, or no options is refused, and changes nothing', async () => {
    const { db, id } = await start({ minChoices: 2 });
    const wrong = async (body: object) => {
      const answer = await vote(visitor(app), id, body);
      return [answer.status, answer.body.code, answer.body.message];
    };
    const number = [400, 'VALIDATION_FAILED', choicesText({ min: 2, max: 3 })];
    expect(await wrong({ optionIds: ids(1) })).toEqual(number);
    expect(await wrong({ optionId: 'option-1' })).toEqual(number);
    expect(await wrong({ optionIds: ids(1, 2, 3, 4) })).toEqual(number);
    for (const body of [
      ...[{}, { optionIds: [] }, { optionIds: ids(1, 1) }, { optionIds: ids(1, 2, 1) }, { optionIds: 'option-1' }],
      { optionId: 'option-1', optionIds: ids(1, 2) },
    ])
      expect((await wrong(body)).slice(0, 2)).toEqual([400, 'VALIDATION_FAILED']);
    expect((await wrong({ optionIds: ids(1, 7) }))[1]).toBe('INVALID_OPTION');
    expect(await db('votes').where({ ballot_key: 1 }).first()).toBeUndefined();
    await expectExactCounters(db);
  });

  test('rounds are seen by everybody once the poll has ended, and by nobody before', async () => {
    const { id, creator } = await start({ resultVisibility: 'always' });
    const [anna, path] = [visitor(app), `/api/community-polls/${id}`];
    expect((await vote(anna, id, { optionIds: ids(2, 4) })).body).not.toHaveProperty('runoff');
    const seen = async () => {
      const found = await Promise.all([anna, creator, visitor(app)].map((by) => ask<CommunityPoll>(by, path)));
      return found.map(({ body }) => body.runoff?.winner);
    };
    expect(await seen()).toEqual([undefined, undefined, undefined]);
    const csv = async () => (await creator.fetch(`${path}/results.csv`)).text();
    expect(await csv()).not.toContain('round 1');
    await ask(creator, `${path}/close`, 'POST');
    expect(await seen()).toEqual([1, 1, 1]);
    expect(await csv()).toContain('round 1');
  });

  test('votes that are set aside leave every round, and come back when they are counted after all', async () => {
    const { db, id, creator } = await start({ resultVisibility: 'always' });
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const cast = ([optionId, ...further]: readonly string[], network: number) =>
      intake.cast({
        ...{ ballotId: id, kind: 'community', optionId: optionId!, further, network, traits: 0, nonce: newDigest() },
        voter: { device: newDigest(), cookie: newDigest(), userId: null },
      } as const);
    for (let n = 0; n < 4; n++) await cast(ids(1, 2), 7);
    for (let n = 0; n < 3; n++) await cast(ids(2), 8);
    for (let n = 0; n < 2; n++) await cast(ids(3, 2), 9);
    await ask(creator, `/api/community-polls/${id}/close`, 'POST');
    const context = { db, clock, intake };
    const by = { actor: 'operator', note: 'seen in the log', reason: 'automated-network' } as const;
    const rounds = async () => roundsOf((await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`)).body);
    const all = ['4 3 2 0 0', '4 3 2 – 0', '4 5 – – 0'];
    expect(await rounds()).toEqual(all);
    const { key } = await setAside(context, { ballotId: id, cluster: { networks: [9] }, ...by });
    expect(await rounds()).toEqual(['4 3 0 0 0']);
    await decide(context, key, 'release', { actor: 'operator', note: 'no' });
    expect(await rounds()).toEqual(all);
    await recountAll(db);
    await expectExactCounters(db);
    await intake.drain();
  });

  test('a hundred random rankings are counted as the rule counts them one by one', async () => {
    const { db, id, creator } = await start({ resultVisibility: 'always', maxChoices: 4 });
    const random = seededRandom(210);
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const rankings = Array.from({ length: 100 }, () => random.shuffled([0, 1, 2, 3]).slice(0, random.whole(1, 4)));
    await Promise.all(
      rankings.map((ranking) => {
        const [optionId, ...further] = ranking.map((place) => `option-${place + 1}`);
        return intake.cast({
          ...{
            ballotId: id,
            kind: 'community',
            optionId: optionId!,
            further,
            network: 7,
            traits: 0,
            nonce: newDigest(),
          },
          voter: { device: newDigest(), cookie: newDigest(), userId: null },
        } as const);
      }),
    );
    await ask(creator, `/api/community-polls/${id}/close`, 'POST');
    const { body } = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${id}`);
    expect(body.runoff).toEqual(
      instantRunoff(
        4,
        rankings.map((ranking) => ({ options: ranking, votes: 1 })),
      ),
    );
    await intake.drain();
  });

  test('creators choose how many options a ranking has, before the first vote, and an operator can’t make a weekly one', async () => {
    const { db, id, creator } = await start();
    const create = (body: object) =>
      ask(creator, '/api/community-polls', 'POST', { ...newPoll, options, method: 'ranked', ...body });
    expect(await made(creator, { options, method: 'ranked' })).toMatchObject({ minChoices: 1, maxChoices: 4 });
    for (const [body, field] of [
      [{ maxChoices: 5 }, 'maxChoices'],
      [{ minChoices: 3, maxChoices: 2 }, 'minChoices'],
      [{ method: 'rankd' }, 'method'],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, answer.body.errors?.map((one) => one.field)]).toEqual([400, [field]]);
    }
    const edit = (body: object) => ask<CommunityPoll & ErrorBody>(creator, `/api/community-polls/${id}`, 'PATCH', body);
    expect((await edit({ method: 'several' })).body).toMatchObject({ method: 'several', maxChoices: 4 });
    const { body: edited } = await edit({ method: 'ranked', maxChoices: 2 });
    expect(edited).toMatchObject({ method: 'ranked', maxChoices: 2 });
    const [, second, third] = edited.options.map((option) => option.id);
    expect((await vote(visitor(app), id, { optionIds: [third, second] })).status).toBe(200);
    expect((await edit({ method: 'several' })).status).toBe(409);
    const { body: draft } = await askAdmin<{ id: string }>(app, 'POST', '/api/admin/polls', {});
    const weekly = await askAdmin(app, 'PATCH', `/api/admin/polls/${draft.id}/draft`, { version: 1, method: 'ranked' });
    expect([weekly.status, weekly.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const asWeekly = db('ballots')
      .where({ id })
      .update({ kind: 'poll', ends_at: testNow + 1e9 });
    await expect(asWeekly).rejects.toThrow(/constraint/i);
  });
});

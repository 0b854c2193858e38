import { expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { otherLeader } from '#domain/figure-sentences.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { crowd, optionOf } from '#api/testing/vote-traffic.ts';
import type { GeneratedVote } from '#api/testing/vote-traffic.ts';
import { seedTraffic } from '#api/testing/votes.ts';
import { reopenBallot } from '#api/voting/ballots.service.ts';
import { erasedAfterMs, voteErasure } from '#api/voting/erasure.service.ts';
import { finishIndependent } from './independent-votes.service.ts';
import { scorePolls } from './scoring.service.ts';

const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
const minute = 60_000;
const honest = 200;

/** People, each from a network of their own: half of them for the first option, 30% for the second. */
const people = () =>
  crowd(seededRandom(1), { votes: honest, shares: [0.5, 0.3, 0.2] }).map((vote, place) => ({
    ...vote,
    network: (place + 1) * 1_000,
  }));

/** Six votes each from 200 addresses, nearly nine in ten for the second option. */
function bought(): GeneratedVote[] {
  const random = seededRandom(2);
  return Array.from({ length: 1_200 }, (_, place) => ({
    ...{ minute: 1_300 + Math.floor(place / 60), network: (5_000 + (place % 200)) * 1_000, address: 0, traits: 0 },
    option: optionOf(random, [0.08, 0.88, 0.04]),
    attack: true,
  }));
}

eachDatabase((open, _engine, once) => {
  async function start(votes: readonly GeneratedVote[]) {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    await seedPolls(db, [{ id: 'mayor' }]);
    const writer = logWriter(db, clock);
    await tick(writer);
    await castVotes(db, 'mayor', 'o1', 0);
    await seedTraffic(db, 'mayor', votes);
    const context = { db, clock, intake, log: silentLogger };
    const poll = async () => (await (await app.fetch('/api/polls/mayor')).json()) as Poll;
    return { db, app, clock, writer, context, poll };
  }

  test('a bought result says that one vote per network elects somebody else, though nobody has clicked', async () => {
    const { context, db, clock, poll } = await start([...people(), ...bought()]);
    await db('ballots').update({ challenge: 'off' });
    await scorePolls(context);
    const { independent, totalVotes, setAsideVotes = 0, heldVotes = 0, ...running } = await poll();
    expect(totalVotes + setAsideVotes + heldVotes).toBe(1_400);
    expect(independent).toMatchObject({ votes: honest, leaders: ['o1'], isFinal: false });
    expect(independent!.asOf).toBe(new Date(testNow).toISOString());

    // As it would be if the detector had not been sure enough to hold them.
    await db('vote_decisions').del();
    await db('ballots').update({ held_votes: 0, set_aside_votes: 0 });
    const counted = { ...running, totalVotes: 1_400, independent };
    const votes = { o1: 196, o2: 1_116, o3: 88 } as Record<string, number>;
    const options = running.options.map((option) => ({ ...option, votes: votes[option.id]! }));
    const [first, second] = options;
    expect(otherLeader({ ...counted, options })).toBe(
      `With one vote per network, “${first!.text}” leads, not “${second!.text}”.`,
    );

    clock.set(testNow + minute);
    await closeBallot(db, 'mayor', testNow + minute / 2);
    await scorePolls(context);
    expect((await poll()).independent).toMatchObject({ votes: honest, isFinal: true });
  });

  once('one vote from each address of a flagged subnet is not independent', async () => {
    const subnet = Array.from({ length: 180 }, (_, place): GeneratedVote => ({
      ...{ minute: 1_380 + Math.floor(place / 10), network: 50_000 * 256 + place, address: place, traits: 0 },
      ...{ option: 1, attack: true },
    }));
    const { context, poll } = await start([...people(), ...subnet]);
    await scorePolls(context);
    expect((await poll()).independent).toMatchObject({ votes: honest, leaders: ['o1'] });
  });

  once('a poll on which nothing was flagged has no such figure', async () => {
    const { context, poll } = await start(people());
    await scorePolls(context);
    expect(await poll()).not.toHaveProperty('independent');
  });

  once('an answer that a voter writes makes no figure, and takes no other vote of its network out of one', async () => {
    const { db, clock, app, context } = await start([]);
    const { id } = await made(await registered(app, 'carla'), { writeIns: true, resultVisibility: 'always' });
    const path = `/api/community-polls/${id}`;
    const vote = async (place: number, chosen: { optionId: string } | { writeIn: string }) => {
      const browser = visitor(app);
      const body = { ...chosen, voterFingerprint: browser.device };
      const answer = await ask(browser, `${path}/vote`, 'POST', body, { 'x-forwarded-for': `198.${place}.100.7` });
      expect(answer.status).toBe(200);
    };
    for (let place = 0; place < 70; place += 1) await vote(place, { optionId: place < 40 ? 'option-1' : 'option-2' });
    for (let place = 0; place < 15; place += 1) await vote(place, { writeIn: 'Junk' });
    const independent = async () => (await ask<CommunityPoll>(visitor(app), path)).body.independent;
    await scorePolls(context);
    expect(await independent()).toBeUndefined();

    // As if some votes had been flagged.
    const ballot = (await db('ballots').where({ id }).first('key'))!;
    await db('independent_votes').insert({
      ...{ ballot_key: ballot.key, votes: '{}', flagged: '[]', counted_at: testNow, final: false },
    });
    await closeBallot(db, id, testNow);
    clock.set(testNow + minute);
    await finishIndependent(context, clock.now());
    expect(await independent()).toMatchObject({ votes: 70, options: [{ votes: 40 }, { votes: 30 }] });
  });

  test('the figure is fixed and logged after the end, and stays when networks are deleted', async () => {
    const { context, db, clock, writer, poll } = await start([...people(), ...bought()]);
    await scorePolls(context);
    await closeBallot(db, 'mayor', testNow);
    clock.set(testNow + minute);
    await finishIndependent(context, clock.now());
    const { independent } = await poll();
    expect(independent).toMatchObject({ votes: honest, isFinal: true });
    const logged = () => db('vote_log_entries').where('text', 'like', 'weathervane/independent/v1%').pluck('text');
    await tick(writer);
    await tick(writer);
    const counts = independent!.options.map(({ votes }) => votes).join(' ');
    expect((await logged()).map((text) => text.split('\n').slice(2, 4))).toEqual([['1', `votes ${counts}`]]);

    clock.set(testNow + erasedAfterMs + minute);
    await db('vote_decisions').update({ state: 'released' });
    await db('ballots').update({ held_votes: 0 });
    const erase = voteErasure(context);
    while (await erase());
    await scorePolls(context);
    expect((await poll()).independent).toEqual(independent);
    expect(await db('independent_votes').pluck('flagged')).toEqual([null]);
  });

  once('a poll that is reopened still shows that its result was bought', async () => {
    const { context, db, clock, poll } = await start([...people(), ...bought()]);
    await scorePolls(context);
    await closeBallot(db, 'mayor', testNow);
    clock.set(testNow + minute);
    await finishIndependent(context, clock.now());
    await db.transaction((trx) => reopenBallot(trx, 'mayor', testNow + 1_000 * minute));
    await seedTraffic(
      db,
      'mayor',
      people()
        .slice(0, 1)
        .map((vote) => ({ ...vote, network: 999_000_999 })),
    );
    await scorePolls(context);
    expect((await poll()).independent).toMatchObject({ votes: honest + 1, leaders: ['o1'], isFinal: false });
  });

  once('results that are kept from a viewer don’t show in this figure either', async () => {
    const { context, db, app } = await start([...people(), ...bought()]);
    await scorePolls(context);
    await db('ballots').where({ id: 'mayor' }).update({ kind: 'community' });
    await db('polls').del();
    await db('community_polls').insert({
      ...{ id: 'mayor', question: 'Who?', description: '', visibility: 'public', result_visibility: 'after-end' },
      ...{ created_by: null, created_at: testNow, updated_at: testNow },
    });
    const response = await app.fetch('/api/community-polls/mayor');
    expect(response.status).toBe(200);
    expect((await response.json()) as CommunityPoll).not.toHaveProperty('independent');
  });
});

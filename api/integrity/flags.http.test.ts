import { expect, test } from 'vitest';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { detectorScores } from '#domain/integrity/cluster.ts';
import { silentLogger } from '#platform/logger.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { made } from '#api/testing/community-polls.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { attack, crowd, dayMinutes } from '#api/testing/vote-traffic.ts';
import { seedTraffic } from '#api/testing/votes.ts';

import { reconcile } from '#api/voting/reconcile.service.ts';
import { headerText } from '#site/client/api.ts';
import { decideFlag, flaggedVotes } from './flags.service.ts';
import { scorePolls } from './scoring.service.ts';

const by = { actor: 'operator', operator: { id: null, name: 'operator', role: 'owner' } } as const;
const headers = { 'x-admin-password': headerText(testAdminPassword), 'content-type': 'application/json' };

oneDatabase((open) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'attacked' }, { id: 'quiet' }]);
    const random = seededRandom(3);
    const votes = [
      ...crowd(random, { votes: 100, shares: [0.5, 0.3, 0.2] }),
      // Few enough to be flagged without being held.
      ...attack(random, { perMinute: 3.5, start: dayMinutes - 40, minutes: 40 }),
    ];
    await seedTraffic(db, 'attacked', votes);
    const app = await startTestApp(db);
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    await scorePolls({ db, clock: app.clock, intake, log: silentLogger });
    const call = async (path: string, body?: object) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await app.fetch(path, { headers, ...init });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as never };
    };
    const list = async () => (await call('/api/admin/flags')).body as ResponseOf<'flaggedPolls'>;
    return { db, app, call, list };
  }

  test('the operator finds a poll that is not flagged, even a private one, and switches challenges for it', async () => {
    const { app, call } = await start();
    const { id } = await made(await registered(app, 'anna'), { visibility: 'private' });
    const found = async () => (await call(`/api/admin/flags?poll=${id}`)).body as ResponseOf<'flaggedPolls'>;
    expect((await found()).polls).toMatchObject([
      { id, question: null, score: 0, flags: [], challenge: 'auto' },
      { id: 'attacked' },
    ]);
    expect((await call(`/api/admin/flags/${id}/challenge`, { challenge: 'on' })).status).toBe(204);
    expect((await found()).polls[0]).toMatchObject({ id, challenge: 'on' });
    expect((await call('/api/admin/flags?poll=nothing')).body).toMatchObject({ polls: [{}, {}] });
    expect((await call('/api/admin/flags?poll=a%2Fb')).status).toBe(400);
  });

  test('the operator sees a flagged poll with its evidence, sets the cluster aside, and counts it again, all in the log', async () => {
    const { db, call, list } = await start();
    const { polls, actions } = await list();
    expect(actions).toEqual([]);
    expect(polls).toHaveLength(1);
    const [poll] = polls;
    expect(poll).toMatchObject({
      id: 'attacked',
      question: 'What about attacked?',
      countedVotes: 240,
      setAsideVotes: 0,
    });
    const [flag] = poll!.flags;
    expect(flag).toMatchObject({
      option: 'Answer 2',
      reason: 'automated-network',
      votes: 140,
      counted: 140,
    });
    expect(flag!.signals.map(({ kind }) => kind)).toContain('choice');

    const { id } = flag!;
    // The review of a written answer decides about its votes.
    const written = await call('/api/admin/flags/attacked/decisions', { flag: id, reason: 'written-answer' });
    expect(written).toMatchObject({ status: 400 });
    const made = await call('/api/admin/flags/attacked/decisions', { flag: id, note: 'Seen in the log' });
    expect(made).toEqual({ status: 200, body: { votes: 140 } });
    expect(await call('/api/admin/flags/attacked/decisions', { flag: id })).toMatchObject({ status: 409 });
    expect(await db('ballots').where({ id: 'attacked' }).first('total_votes', 'set_aside_votes')).toEqual({
      ...{ total_votes: 100, set_aside_votes: 140 },
    });
    expect((await reconcile(db)).wrongCounters).toEqual([]);

    expect((await call('/api/admin/flags/attacked/decisions/1', { action: 'release' })).status).toBe(204);
    expect(await call('/api/admin/flags/attacked/decisions/2', { action: 'release' })).toMatchObject({
      status: 404,
    });
    const after = await list();
    expect(after.polls[0]).toMatchObject({ countedVotes: 240, decisions: [{ number: 1, state: 'released' }] });
    expect(after.actions.map(({ actor, votes, note }) => [actor, votes, note])).toEqual([
      ['operator', 140, ''],
      ['operator', 140, 'Seen in the log'],
    ]);
  });

  test('setting many votes aside is answered before it is done, and a failure in time is reported', async () => {
    const { db, app, list } = await start();
    const { id } = (await list()).polls[0]!.flags[0]!;
    const { promise, resolve } = Promise.withResolvers<null>();
    const intake = { runExclusive: <T>(work: () => Promise<T>) => promise.then(work) };
    const context = { db, clock: app.clock, intake };
    const body = { flag: id, note: '', action: 'set-aside' as const };
    expect(await decideFlag(context, 'attacked', by, body, 1)).toEqual({});
    resolve(null);
    await expect.poll(async () => (await list()).polls[0]!.setAsideVotes).toBe(140);
    await expect(decideFlag(context, 'attacked', by, body)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a hold waits for the operator, who sets it aside', async () => {
    const { db, call, list } = await start();
    const { id } = (await list()).polls[0]!.flags[0]!;
    await call('/api/admin/flags/attacked/decisions', { flag: id, action: 'hold' });
    expect((await list()).polls[0]).toMatchObject({ heldVotes: 140, decisions: [{ state: 'held' }] });
    expect((await list()).polls[0]!.decisions[0]!.expiresAt).toBe(new Date(testNow + 7 * 86_400_000).toISOString());
    expect((await call('/api/admin/flags/attacked/decisions/1', { action: 'set-aside' })).status).toBe(204);
    expect((await list()).polls[0]).toMatchObject({ heldVotes: 0, setAsideVotes: 140 });
    expect((await reconcile(db)).wrongCounters).toEqual([]);
  });

  test('votes of a flag that are taken for genuine stay, and are flagged anew once they are half as many again', async () => {
    const { db, app, call, list } = await start();
    const { id } = (await list()).polls[0]!.flags[0]!;
    const answer = { flag: id, action: 'genuine', note: 'The newsletter' };
    for (let time = 0; time < 2; time += 1)
      expect(await call('/api/admin/flags/attacked/decisions', answer)).toEqual({ status: 200, body: { votes: 140 } });
    const { polls, actions } = await list();
    expect(polls[0]).toMatchObject({ countedVotes: 240, decisions: [], flags: [{ id, genuine: true }] });
    expect(actions.map(({ action, votes, note }) => [action, votes, note])).toEqual([
      ['genuine', 140, 'The newsletter'],
    ]);

    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    const scored = async () => {
      await scorePolls({ db, clock: app.clock, intake, log: silentLogger });
      return (await db('integrity_scores').pluck('score'))[0];
    };
    await db('ballots').where({ id: 'attacked' }).update({ challenged_until: null });
    expect(await scored()).toBeLessThan(detectorScores.flagged);
    expect(
      (await db('ballots').where({ id: 'attacked' }).first<{ challenged_until: number | null }>()).challenged_until,
    ).toBeNull();
    await db('integrity_scores').update({ detection: db.raw(`replace(detection, '"votes":140', '"votes":211')`) });
    expect((await flaggedVotes({ db, clock: app.clock, intake, protections: [] }, 'attacked')).flags[0]).toMatchObject({
      genuine: false,
    });
  });

  test('challenges are switched per poll, which is logged; the poll is listed while they are required', async () => {
    const { db, call, list } = await start();
    const on = { challenge: 'on', note: 'Announced attack' };
    // A repeated request changes nothing.
    for (let time = 0; time < 2; time++) expect((await call('/api/admin/flags/quiet/challenge', on)).status).toBe(204);
    expect((await list()).polls.map(({ id, challenge }) => [id, challenge])).toEqual([
      ['attacked', 'auto'],
      ['quiet', 'on'],
    ]);
    expect(await db('ballots').where({ id: 'quiet' }).pluck('challenge')).toEqual(['on']);
    await call('/api/admin/flags/quiet/challenge', { challenge: 'off' });
    expect((await list()).polls.map(({ id }) => id)).toEqual(['attacked']);
    const entry = { at: new Date(testNow).toISOString(), actor: 'operator', pollId: 'quiet', reason: null, votes: 0 };
    expect((await list()).actions).toEqual([
      { ...entry, action: 'challenge-off', note: '' },
      { ...entry, action: 'challenge-on', note: 'Announced attack' },
    ]);
    expect(await call('/api/admin/flags/nothing/challenge', { challenge: 'on' })).toMatchObject({ status: 404 });
    expect(await call('/api/admin/flags/quiet/challenge', { challenge: 'sometimes' })).toMatchObject({
      status: 400,
    });
  });

  test('without the admin password nothing is shown or changed', async () => {
    const { app } = await start();
    expect((await app.fetch('/api/admin/flags')).status).toBe(401);
  });
});

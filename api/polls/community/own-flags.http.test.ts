import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from './community-polls.contract.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import type { FlaggedVotes } from '#api/integrity/flags.contract.ts';
import { compileSchema } from '#platform/validation.ts';
import { countChanges } from '#api/publishing/changes.service.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { seededRandom } from '#api/testing/random.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { attack, crowd, dayMinutes } from '#api/testing/vote-traffic.ts';
import { seedTraffic } from '#api/testing/votes.ts';
import { scorePolls } from '#api/integrity/scoring.service.ts';
import { silentLogger } from '#platform/logger.ts';
import { setAside } from '#api/voting/decisions.service.ts';

const hour = 3_600_000;

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  /** A poll of ben’s with five votes, of which the three for the first option are held. */
  async function heldPoll() {
    const { db } = await open();
    app = await startTestApp(db);
    const [ben, anna] = [await registered(app, 'ben'), await registered(app, 'anna')];
    const { id } = await made(ben);
    for (const option of ['option-1', 'option-1', 'option-1', 'option-2', 'option-2'])
      await castVote(visitor(app), id, option);
    const context = { db, clock: app.clock, intake: { runExclusive: <T>(work: () => Promise<T>) => work() } };
    await setAside(context, {
      ballotId: id,
      cluster: { optionId: 'option-1', from: app.clock.now() - hour },
      reason: 'unusual-rate',
      actor: 'detector',
      hold: { expiresAt: app.clock.now() + hour },
    });
    return { db, ben, anna, id, stranger: visitor(app) };
  }

  test('the creator sees held votes with the evidence, and nobody else does', async () => {
    const { ben, anna, stranger, id } = await heldPoll();
    const path = `/api/community-polls/${id}/decisions`;
    const { status, body } = await ask<FlaggedVotes>(ben, path);
    expect(status).toBe(200);
    expect(compileSchema(endpoints.ownFlags.response, 'json')(body)).toBe(true);
    expect(body).toMatchObject({
      flags: [],
      decisions: [
        {
          number: 1,
          action: 'hold',
          state: 'held',
          votes: 3,
          reason: 'unusual-rate',
          evidence: { option: 'Tea', networks: 0 },
        },
      ],
    });
    expect((await ask(anna, path)).status).toBe(403);
    expect((await ask(stranger, path)).status).toBe(401);
  });

  test('the creator sets held votes aside and releases them, and the poll discloses each step', async () => {
    const { db, ben, stranger, id } = await heldPoll();
    const seen = async () => (await ask<CommunityPoll>(stranger, `/api/community-polls/${id}`)).body;
    expect(await seen()).toMatchObject({ totalVotes: 2, receivedVotes: 5, heldVotes: 3, setAsideVotes: 0 });
    const before = await countChanges(db);

    const decide = async (body: object) =>
      (await ask(ben, `/api/community-polls/${id}/decisions/1`, 'POST', body)).status;
    expect(await decide({ action: 'set-aside', note: 'One script.' })).toBe(204);
    const { body } = await ask<FlaggedVotes>(ben, `/api/community-polls/${id}/decisions`);
    expect(body.decisions).toMatchObject([{ number: 1, state: 'set-aside' }]);
    expect(await seen()).toMatchObject({
      totalVotes: 2,
      receivedVotes: 5,
      heldVotes: 0,
      setAsideVotes: 3,
      interventions: [{ number: 1, reason: 'unusual-rate', votes: 3, state: 'set-aside' }],
    });
    // Its list and the totals are published anew.
    expect(await countChanges(db)).toBeGreaterThan(before);

    expect(await decide({ action: 'release' })).toBe(204);
    expect(await seen()).toMatchObject({ totalVotes: 5, receivedVotes: 5, setAsideVotes: 0, heldVotes: 0 });
    const log = await db('integrity_actions').where({ ballot_id: id }).orderBy('id').select('actor', 'action', 'note');
    expect(log).toEqual([
      { actor: 'detector', action: 'hold', note: '' },
      { actor: `creator:${ben.user.id}`, action: 'confirm', note: 'One script.' },
      { actor: `creator:${ben.user.id}`, action: 'release', note: '' },
    ]);
    await expectExactCounters(db);
  });

  test('the creator sees flagged votes with the evidence before anything is held, and sets it aside with a note', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const [ben, anna] = [await registered(app, 'ben'), await registered(app, 'anna')];
    const { id } = await made(ben);
    const random = seededRandom(3);
    await seedTraffic(db, id, [
      ...crowd(random, { votes: 100, shares: [0.6, 0.4] }),
      // Few enough to be flagged without being held.
      ...attack(random, { perMinute: 3.5, start: dayMinutes - 40, minutes: 40 }),
    ]);
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    await scorePolls({ db, clock: app.clock, intake, log: silentLogger });
    const path = `/api/community-polls/${id}/decisions`;
    const { body } = await ask<FlaggedVotes>(ben, path);
    expect(compileSchema(endpoints.ownFlags.response, 'json')(body)).toBe(true);
    expect(body).toMatchObject({
      decisions: [],
      flags: [{ reason: 'automated-network', votes: 140, counted: 140 }],
    });
    expect(body.flags[0]!.signals.length).toBeGreaterThan(0);
    // Digests of networks would tell who voted on several polls.
    const [network] = await db('votes').orderBy('id', 'desc').limit(1).pluck('network');
    expect(JSON.stringify(body)).not.toContain(String(network));

    const aside = { flag: body.flags[0]!.id, note: 'One script.' };
    expect((await ask(anna, path, 'POST', aside)).status).toBe(403);
    expect((await ask(ben, path, 'POST', { flag: 'another' })).status).toBe(404);
    expect(await ask(ben, path, 'POST', aside)).toMatchObject({ status: 200, body: { votes: 140 } });
    expect((await ask<FlaggedVotes>(ben, path)).body.decisions).toMatchObject([
      { number: 1, action: 'set-aside', madeBy: 'creator', votes: 140, evidence: { networks: 1 } },
    ]);
    expect((await ask(ben, path, 'POST', aside)).status).toBe(409);
    expect(await db('integrity_actions').select('actor', 'action', 'note', 'votes')).toEqual([
      { actor: `creator:${ben.user.id}`, action: 'set-aside', note: 'One script.', votes: 140 },
    ]);
    await scorePolls({ db, clock: app.clock, intake, log: silentLogger });
    expect((await ask<FlaggedVotes>(ben, path)).body.flags).toMatchObject([{ votes: 140, counted: 0 }]);
    await expectExactCounters(db);
  });

  test('only the creator decides, about decisions that exist, and a released one can’t be set aside again', async () => {
    const { db, ben, anna, stranger, id } = await heldPoll();
    const post = async (by: typeof ben | typeof stranger, number: number, action: string) => {
      const { status, body } = await ask<{ code?: string } | null>(
        by,
        `/api/community-polls/${id}/decisions/${number}`,
        'POST',
        { action },
      );
      return [status, body?.code];
    };
    expect(await post(anna, 1, 'set-aside')).toEqual([403, 'FORBIDDEN']);
    expect(await post(stranger, 1, 'release')).toEqual([401, 'UNAUTHENTICATED']);
    expect(await post(ben, 2, 'release')).toEqual([404, 'NOT_FOUND']);
    expect(await post(ben, 1, 'delete')).toEqual([400, 'VALIDATION_FAILED']);
    expect(await db('vote_decisions').pluck('state')).toEqual(['held']);
    expect(await post(ben, 1, 'release')).toEqual([204, undefined]);
    expect(await post(ben, 1, 'set-aside')).toEqual([409, 'CONFLICT']);
    await expectExactCounters(db);
  });
});

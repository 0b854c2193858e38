import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { decisionTexts } from '#texts/decisions.ts';
import { closeBallot, lockBallots } from './ballots.service.ts';
import { abandonedAfterMs, clearNextMarks } from './decision-marks.service.ts';
import { decide, decisionsOf, expireHolds, setAside } from './decisions.service.ts';
import { deleteBallot, deleteNextVotes } from './deletion.service.ts';
import { createVotingIntake } from './intake.service.ts';
import { recountAll } from './reconcile.service.ts';
import type { Vote } from './vote-batch.ts';

const minute = 60_000;
const attacker = 0xabcdef;
const operator = { actor: 'operator', note: 'seen in the log' };
const byNetwork = { cluster: { networks: [attacker] }, reason: 'automated-network' } as const;

const newVote = (from: Partial<Vote> = {}): Vote => ({
  ...{ ballotId: 'p', kind: 'poll', optionId: 'o1', network: 7, traits: 0 },
  voter: { device: newDigest(), cookie: newDigest(), userId: null },
  ...from,
});

/** The counters of a ballot, its options, and the headline figures. */
async function countersOf(db: Database, id = 'p') {
  const [ballot] = await db('ballots').where({ id }).select('total_votes', 'set_aside_votes', 'held_votes');
  const options = await db('ballot_options').where({ ballot_id: id }).orderBy('position').select('votes', 'set_aside');
  const [sums] = await db('statistics').sum({
    ...{ total: 'total_votes', aside: 'set_aside_votes', participants: 'total_participants' },
  });
  return {
    ballot: Object.values(ballot as object).map(Number),
    options: options.map((option: { votes: number; set_aside: number }) => [option.votes, option.set_aside]),
    headline: Object.values(sums as object).map(Number),
  };
}

eachDatabase((open, engine, once) => {
  /** Three honest votes and twenty of an attacker, beside five imported ones. */
  async function start() {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'p', votes: [2, 3, 0] }, { id: 'q' }]);
    const clock = fixedClock(testNow);
    const intake = createVotingIntake({ db, clock, log: silentLogger });
    const honest = [newVote(), newVote({ optionId: 'o2' }), newVote({ optionId: 'o3' })];
    const attack = Array.from({ length: 20 }, (_, n) => newVote({ network: attacker, optionId: n < 15 ? 'o1' : 'o2' }));
    const cast = (votes: readonly Vote[]) => Promise.all(votes.map((vote) => intake.cast(vote)));
    await cast([...honest, ...attack]);
    const context = { db, clock, intake };
    const set = (more: object = {}) => setAside(context, { ballotId: 'p', ...byNetwork, ...operator, ...more });
    return { db, url, clock, intake, context, cast, set, attack };
  }

  test('votes of a cluster are taken out of every counter, and released votes are back in each of them', async () => {
    const { db, context, set } = await start();
    const before = await countersOf(db);
    expect(before).toEqual({
      ballot: [28, 0, 0],
      options: [
        [18, 0],
        [9, 0],
        [1, 0],
      ],
      headline: [28, 0, 23],
    });
    const decision = await set();
    expect(decision).toMatchObject({
      number: 1,
      action: 'set-aside',
      state: 'set-aside',
      votes: 20,
      madeBy: 'operator',
    });
    expect(await countersOf(db)).toEqual({
      ballot: [8, 20, 0],
      options: [
        [3, 15],
        [4, 5],
        [1, 0],
      ],
      headline: [8, 20, 3],
    });
    await expectExactCounters(db);
    expect(await decide(context, decision.key, 'release', { actor: 'second' })).toMatchObject({
      state: 'released',
      decidedBy: 'second',
    });
    expect(await countersOf(db)).toEqual(before);
    await expectExactCounters(db);
    while (await clearNextMarks(context)) await expectExactCounters(db);
    expect(await db('votes').whereNotNull('decision_key')).toEqual([]);
    expect(await decisionsOf(db, ['p'])).toMatchObject([{ number: 1, state: 'released', cluster: byNetwork.cluster }]);
  });

  once('criteria select by network, option, time, and traits, and only votes that are counted', async () => {
    const { db, clock, cast, set } = await start();
    clock.set(testNow + minute);
    await cast([newVote({ traits: 0b101 }), newVote({ traits: 0b1101 }), newVote({ traits: 0b110 })]);
    expect((await set({ cluster: { traits: { mask: 0b111, value: 0b101 } } })).votes).toBe(2);
    expect((await set({ cluster: { from: testNow + minute } })).votes).toBe(1);
    expect((await set({ cluster: { networks: [attacker], optionId: 'o2' } })).votes).toBe(5);
    expect((await set({ cluster: { to: testNow + minute, optionId: 'o1' } })).votes).toBe(16);
    await expect(set({ cluster: { networks: [attacker] } })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(set({ cluster: { optionId: 'o9' } })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(set({ ballotId: 'nothing' })).rejects.toMatchObject({ code: 'POLL_NOT_FOUND' });
    expect((await decisionsOf(db, ['p'])).map(({ number, votes }) => [number, votes])).toEqual([
      [1, 2],
      [2, 1],
      [3, 5],
      [4, 16],
    ]);
    await expectExactCounters(db);
  });

  once('held votes are not counted until the hold is confirmed, released, or expires', async () => {
    const { db, clock, context, set } = await start();
    const hold = { expiresAt: testNow + 60 * minute };
    const first = await set({ hold });
    expect(first).toMatchObject({ action: 'hold', state: 'held', expiresAt: hold.expiresAt });
    expect((await countersOf(db)).ballot).toEqual([8, 20, 20]);
    await expectExactCounters(db);
    expect(await decide(context, first.key, 'confirm', operator)).toMatchObject({ action: 'hold', state: 'set-aside' });
    expect((await countersOf(db)).ballot).toEqual([8, 20, 0]);
    await decide(context, first.key, 'release', operator);
    const second = await set({ hold });
    clock.set(hold.expiresAt - 1);
    expect(await expireHolds(context)).toEqual([]);
    clock.set(hold.expiresAt);
    expect(await expireHolds(context)).toMatchObject([
      { key: second.key, number: 2, state: 'expired', decidedBy: 'system' },
    ]);
    expect((await countersOf(db)).ballot).toEqual([28, 0, 0]);
    await expect(decide(context, second.key, 'confirm', operator)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(decide(context, 9_999, 'release', operator)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expectExactCounters(db);
  });

  once('every action is in the audit log, which cannot be changed', async () => {
    const { db, context, set } = await start();
    const { key } = await set({ hold: { expiresAt: testNow + minute } });
    await decide(context, key, 'confirm', { actor: 'anna' });
    await decide(context, key, 'release', { actor: 'ben', note: 'a school' });
    const log = await db('integrity_actions')
      .orderBy('id')
      .select('at', 'actor', 'action', 'ballot_id', 'votes', 'note');
    const entry = { at: testNow, ballot_id: 'p', votes: 20 };
    expect(log).toEqual([
      { ...entry, actor: 'operator', action: 'hold', note: operator.note },
      { ...entry, actor: 'anna', action: 'confirm', note: '' },
      { ...entry, actor: 'ben', action: 'release', note: 'a school' },
    ]);
    await expect(db('integrity_actions').update({ note: '' })).rejects.toThrow('append-only');
    await expect(db('integrity_actions').del()).rejects.toThrow('append-only');
  });

  once('a decision has the pages that show the poll published', async () => {
    const { db, set } = await start();
    await set();
    expect((await waitingPages(db).pluck<string[]>('key')).includes('p')).toBe(true);
  });

  test('two operators who set the same votes aside or release them at once do it once', async () => {
    const { db, url, clock, context, set } = await start();
    const other = { ...context, db: openDatabase(url) };
    const both = await Promise.allSettled([set(), setAside(other, { ballotId: 'p', ...byNetwork, actor: 'other' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expectExactCounters(db);
    const [decision] = await decisionsOf(db, ['p']);
    clock.set(testNow + minute);
    const released = await Promise.all([
      decide(context, decision!.key, 'release', operator),
      decide(other, decision!.key, 'release', operator),
    ]);
    expect(released.map(({ state }) => state)).toEqual(['released', 'released']);
    expect((await countersOf(db)).ballot).toEqual([28, 0, 0]);
    expect(await db('integrity_actions').pluck('action')).toEqual(['set-aside', 'release']);
    await expectExactCounters(db);
    await other.db.destroy();
  });

  test('counters stay exact while votes arrive and the poll closes during decisions', async () => {
    const { db, context, cast, set } = await start();
    const arriving = Array.from({ length: 12 }, async () =>
      cast(Array.from({ length: 10 }, () => newVote({ network: attacker }))),
    );
    const first = await set();
    await Promise.all([
      ...arriving,
      decide(context, first.key, 'release', operator).catch((error: unknown) =>
        // Once the other votes are being marked.
        expect(error).toMatchObject({ message: decisionTexts.busy }),
      ),
      set({ cluster: { optionId: 'o1' } }).catch(() => null),
      context.intake.runExclusive(() =>
        db.transaction(async (trx) => {
          await closeBallot(trx, 'p', testNow + 1);
        }),
      ),
    ]);
    await set({ hold: { expiresAt: testNow + minute } }).catch(() => null);
    await expectExactCounters(db);
    const [ballot] = await db('ballots').where({ id: 'p' }).select('total_votes', 'set_aside_votes', 'archive_votes');
    const { total_votes: total, set_aside_votes: aside, archive_votes } = ballot as Record<string, number>;
    expect([total! + aside!, archive_votes]).toEqual([5 + (await db('votes')).length, total]);
  });

  /** A context whose process is killed before it marks more than this many batches of votes. */
  const killedAfter = ({ intake, ...context }: Parameters<typeof setAside>[0], batches: number) => {
    // The first task begins the decision.
    let left = batches + 1;
    return {
      ...context,
      intake: {
        runExclusive: <T>(task: () => Promise<T>): Promise<T> =>
          left-- > 0 ? intake.runExclusive(task) : Promise.reject(new Error('killed')),
      },
    };
  };

  test('votes are set aside in batches, and count until all of them are: readers see one step', async () => {
    const { db, context, cast, set } = await start();
    await cast(Array.from({ length: 1_100 }, () => newVote({ network: attacker })));
    const before = await countersOf(db);
    const steps: number[] = [];
    const observed = {
      ...context,
      intake: {
        runExclusive: async <T>(task: () => Promise<T>): Promise<T> => {
          const result = await context.intake.runExclusive(task);
          const { ballot } = await countersOf(db);
          steps.push(ballot[0]!);
          await expectExactCounters(db);
          return result;
        },
      },
    };
    expect((await setAside(observed, { ballotId: 'p', ...byNetwork, ...operator })).votes).toBe(1_120);
    expect(new Set(steps.slice(0, -1))).toEqual(new Set([before.ballot[0]]));
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.at(-1)).toBe(8);
    const [decision] = await decisionsOf(db, ['p']);
    await decide(context, decision!.key, 'release', operator);
    expect(await countersOf(db)).toEqual(before);
    // Before the marks are removed.
    expect((await set({ cluster: { networks: [attacker], optionId: 'o2' } })).votes).toBe(5);
    while (await clearNextMarks(context)) await expectExactCounters(db);
    expect(await db('votes').whereNotNull('decision_key')).toHaveLength(5);
  });

  test('votes whose setting aside was interrupted still count, and can be set aside a minute later', async () => {
    const { db, clock, context, cast, set } = await start();
    await cast(Array.from({ length: 600 }, () => newVote({ network: attacker })));
    const before = await countersOf(db);
    await expect(setAside(killedAfter(context, 1), { ballotId: 'p', ...byNetwork, ...operator })).rejects.toThrow(
      'killed',
    );
    expect(await db('votes').whereNotNull('decision_key')).toHaveLength(500);
    expect(await countersOf(db)).toEqual(before);
    await expectExactCounters(db);
    expect(await decisionsOf(db, ['p'])).toEqual([]);
    await expect(set()).rejects.toMatchObject({ code: 'CONFLICT', message: decisionTexts.busy });
    expect(await clearNextMarks(context)).toBe(false);
    clock.set(testNow + abandonedAfterMs + 1);
    while (await clearNextMarks(context)) await expectExactCounters(db);
    expect(await db('votes').whereNotNull('decision_key')).toEqual([]);
    expect(await set()).toMatchObject({ number: 1, votes: 620 });
    await expectExactCounters(db);
  });

  once('what was interrupted before the clock was set back is cleared as well', async () => {
    const { db, clock, context } = await start();
    await expect(setAside(killedAfter(context, 1), { ballotId: 'p', ...byNetwork, ...operator })).rejects.toThrow(
      'killed',
    );
    clock.set(testNow - abandonedAfterMs);
    expect(await clearNextMarks(context)).toBe(false);
    clock.set(testNow - abandonedAfterMs - 1);
    while (await clearNextMarks(context));
    expect(await db('unfinished_decisions')).toEqual([]);
  });

  test('no votes are released while others on the poll are being set aside: those would be taken, too', async () => {
    const { db, clock, context, set, cast } = await start();
    const earlier = await set({ hold: { expiresAt: testNow + 1 } });
    await cast(Array.from({ length: 600 }, () => newVote({ network: attacker })));
    clock.set(testNow + 1);
    let tasks = 0;
    const observed = {
      ...context,
      intake: {
        runExclusive: async <T>(task: () => Promise<T>): Promise<T> => {
          // Between the two batches.
          if (++tasks === 3) {
            const busy = { code: 'CONFLICT', message: decisionTexts.busy };
            await expect(decide(context, earlier.key, 'release', operator)).rejects.toMatchObject(busy);
            expect(await expireHolds(context)).toEqual([]);
          }
          return context.intake.runExclusive(task);
        },
      },
    };
    expect((await setAside(observed, { ballotId: 'p', ...byNetwork, ...operator })).votes).toBe(600);
    expect(await expireHolds(context)).toMatchObject([{ key: earlier.key, votes: 20 }]);
    await expectExactCounters(db);
  });

  test('an operator whose request took too long sets nothing aside once another one was let in', async () => {
    const { db, clock, context, set } = await start();
    let tasks = 0;
    const slow = {
      ...context,
      intake: {
        runExclusive: async <T>(task: () => Promise<T>): Promise<T> => {
          // Before its last transaction.
          if (++tasks === 3) {
            clock.set(testNow + abandonedAfterMs + 1);
            while (await clearNextMarks(context));
            await set();
          }
          return context.intake.runExclusive(task);
        },
      },
    };
    await expect(setAside(slow, { ballotId: 'p', ...byNetwork, actor: 'slow' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await decisionsOf(db, ['p'])).toMatchObject([{ number: 1, votes: 20, madeBy: 'operator' }]);
    await expectExactCounters(db);
  });

  test.runIf(engine === 'PostgreSQL')('recounting every counter and decisions wait for each other', async () => {
    const { db, context, set } = await start();
    const waiting = async () =>
      (
        await db('pg_locks as l')
          .join('pg_class as c', 'c.oid', 'l.relation')
          .where({ granted: false, locktype: 'relation' })
          .whereRaw('l.database = (select oid from pg_database where datname = current_database())')
      ).length;
    const decided: { key: number }[] = [];
    // While votes are marked, and in the last transaction.
    for (const [table, work] of [
      ['votes', set],
      ['ballots', () => decide(context, decided[0]!.key, 'release', operator)],
    ] as const) {
      const working: Promise<unknown>[] = [];
      await db.transaction(async (trx) => {
        await trx.raw(`lock table ${table} in share mode`);
        working.push(recountAll(db));
        await expect.poll(waiting).toBe(1);
        working.push(work().then((decision) => decided.push(decision)));
        await expect.poll(waiting).toBe(2);
      });
      await Promise.all(working);
    }
    expect(decided).toMatchObject([{ state: 'set-aside' }, { state: 'released' }]);
    await expectExactCounters(db);
  });

  test.runIf(engine === 'PostgreSQL')(
    'a decision and the deletion of the creator’s account wait for each other',
    async () => {
      const { db, context, cast } = await start();
      await seedMember(db, 'anna');
      await seedDiscussedPoll(db, { id: 'tea', createdBy: 'anna' });
      await db('ballot_options').insert({ ballot_id: 'tea', option_id: 'o1', position: 0, text: 'Tea' });
      await cast([newVote({ ballotId: 'tea', kind: 'community', network: attacker })]);
      const { key } = await setAside(context, { ballotId: 'tea', ...byNetwork, ...operator });
      let decided: Promise<unknown> | undefined;
      await db.transaction(async (trx) => {
        await lockBallots(trx, ['tea']);
        decided = decide(context, key, 'release', { actor: 'operator' });
        await Promise.race([decided, waitForLock(db)]);
        await trx('users').where({ id: 'anna' }).forUpdate().select('id');
      });
      expect(await decided).toMatchObject({ state: 'released' });
    },
  );

  test('participants stay exact when a poll is deleted while its votes are marked or no longer set aside', async () => {
    const { db, context, cast, set } = await start();
    await cast([newVote({ ballotId: 'q', network: attacker })]);
    await decide(context, (await set()).key, 'release', operator);
    const other = { ballotId: 'q', ...byNetwork, ...operator };
    await expect(setAside(killedAfter(context, 1), other)).rejects.toThrow('killed');
    for (const id of ['p', 'q'])
      await context.intake.runExclusive(() => db.transaction((trx) => deleteBallot(trx, id)));
    while (await deleteNextVotes(db, context.intake)) await expectExactCounters(db);
    const [sums] = await db('statistics').sum<{ voters: number | string }[]>({ voters: 'total_participants' });
    expect(Number(sums!.voters)).toBe(24);
    context.clock.set(testNow + abandonedAfterMs + 1);
    while (await clearNextMarks(context));
    expect(await db('unfinished_decisions')).toEqual([]);
    await expectExactCounters(db);
  });

  test('a voter whose only votes are set aside is no participant, whether or not the poll is deleted', async () => {
    const { db, context, cast, set, attack } = await start();
    await set();
    const again = attack.slice(0, 3).map(({ voter }) => newVote({ ballotId: 'q', voter }));
    await cast([...again, newVote({ ballotId: 'q' })]);
    await expectExactCounters(db);
    await context.intake.runExclusive(() => db.transaction((trx) => deleteBallot(trx, 'p')));
    await expectExactCounters(db);
    while (await deleteNextVotes(db, context.intake)) await expectExactCounters(db);
    expect((await countersOf(db, 'q')).headline).toEqual([4, 0, 4]);
    expect(await db('vote_decisions')).toEqual([]);
    expect(await db('integrity_actions')).toHaveLength(1);
  });

  once('votes that are all set aside still count as recorded when their poll is deleted', async () => {
    const { db, context, cast } = await start();
    await cast([newVote({ ballotId: 'q', network: attacker })]);
    await setAside(context, { ballotId: 'q', ...byNetwork, ...operator });
    await context.intake.runExclusive(() => db.transaction((trx) => deleteBallot(trx, 'q')));
    while (await deleteNextVotes(db, context.intake));
    expect(await db('votes')).toHaveLength(23);
    await expectExactCounters(db);
  });

  test('ids of deleted votes are not given again', async () => {
    const { db, context, cast } = await start();
    await cast([newVote({ ballotId: 'q' }), newVote({ ballotId: 'q' })]);
    const [newest] = await db('votes').max({ id: 'id' });
    await context.intake.runExclusive(() => db.transaction((trx) => deleteBallot(trx, 'q')));
    while (await deleteNextVotes(db, context.intake));
    await cast([newVote()]);
    const [later] = await db('votes').max({ id: 'id' });
    expect((later as { id: number }).id).toBeGreaterThan((newest as { id: number }).id);
  });

  once('wrong counters of votes set aside are found and corrected', async () => {
    const { db, set } = await start();
    await set({ hold: { expiresAt: testNow + minute } });
    const before = await countersOf(db);
    await db('ballots').where({ id: 'p' }).update({ set_aside_votes: 30, held_votes: 1, total_votes: 9 });
    await db('ballot_options').where({ ballot_id: 'p', option_id: 'o1' }).update({ set_aside: 1 });
    await db('vote_decisions').update({ votes: 2 });
    await db('statistics').where({ shard: 3 }).update({ set_aside_votes: 4 });
    expect((await recountAll(db)).map(({ counter }) => counter)).toEqual([
      ...['headline set_aside_votes', 'held votes of ballot p', 'votes of ballot p', 'votes of decision 1 of ballot p'],
      ...['votes set aside of ballot p', 'votes set aside of option p/o1'],
    ]);
    expect(await countersOf(db)).toEqual(before);
    await expectExactCounters(db);
  });
});

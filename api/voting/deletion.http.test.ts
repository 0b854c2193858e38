import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { eventsOf } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { setAside } from './decisions.service.ts';
import { deleteBallot, deleteNextVotes, deletedAtOnce, deletionTask } from './deletion.service.ts';
import { createVotingIntake } from './intake.service.ts';

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'doomed' }, { id: 'kept' }]);
    const intake = createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger });
    const castAll = (ballotId: string, devices: readonly string[]) =>
      Promise.all(
        devices.map((device) =>
          intake.cast({ ballotId, kind: 'poll', optionId: 'o1', voter: { device, cookie: newDigest(), userId: null } }),
        ),
      );
    const rows = async () => (await db('votes').count({ count: '*' }).first<{ count: number }>()).count;
    const participants = async () =>
      Number((await db('statistics').sum({ sum: 'total_participants' }).first<{ sum: number | string }>()).sum);
    const remove = (id: string) => db.transaction((trx) => deleteBallot(trx, id));
    return { db, intake, castAll, rows, participants, remove };
  }

  test('[D3.2] a deleted poll’s votes are deleted in batches, and every counter is exact between any two', async () => {
    const { db, intake, castAll, rows, participants, remove } = await start();
    const devices = Array.from({ length: 2 * deletedAtOnce + 10 }, newDigest);
    await castAll('doomed', devices);
    // Half of them vote again, and a few others only here.
    await castAll('kept', [...devices.slice(deletedAtOnce), newDigest(), newDigest()]);
    const all = await rows();

    expect(await remove('doomed')).toBe(true);
    expect(await rows()).toBe(all);
    const left = [all];
    while (await deleteNextVotes(db, intake)) {
      await expectExactCounters(db);
      left.push(await rows());
    }
    expect(left.every((count, step) => step === 0 || left[step - 1]! - count <= deletedAtOnce)).toBe(true);
    expect(left.at(-1)).toBe(all - devices.length);
    expect(await participants()).toBe(devices.length + 2);

    // Known voters are no new participants.
    await castAll('kept', devices.slice(0, 5));
    expect(await participants()).toBe(devices.length + 2);
    await expectExactCounters(db);
    expect(await db('ballot_deletions')).toEqual([]);
    await intake.drain();
  });

  test('marks that don’t count are cleared while a deletion fails', async () => {
    const { db, intake, castAll, remove } = await start();
    await castAll('doomed', [newDigest()]);
    await remove('doomed');
    await db('unfinished_decisions').insert({
      ...{ key: 1, ballot_key: 1, is_staged: false, after_id: 0, last_id: 0, touched_at: testNow },
    });
    await db.schema.renameTable('voters', 'missing_voters');
    const task = deletionTask({ db, clock: fixedClock(testNow), intake, log: silentLogger });
    while ((await task()) !== undefined);
    expect(await db('unfinished_decisions')).toEqual([]);
    expect(await db('ballot_deletions')).toHaveLength(1);
  });

  test('deleting a poll reads no votes but those that are set aside, and waits for a voter’s account that is being deleted', async () => {
    const { db, intake, castAll } = await start();
    await seedPolls(db, [{ id: 'quiet' }]);
    await castAll('quiet', [newDigest()]);
    const remove = (...ids: string[]) =>
      plansOf(
        db,
        () =>
          db.transaction(async (trx) => {
            for (const id of ids) await deleteBallot(trx, id);
          }),
        { anyIndex: true },
      );
    // Whether votes are set aside.
    const looked = /unfinished_decisions|SEARCH u /;
    expect(await remove('quiet')).not.toMatch(looked);
    for (const id of ['anna', 'ben']) await seedMember(db, id);
    const context = { db, clock: fixedClock(testNow), intake };
    for (const ballotId of ['doomed', 'kept']) {
      for (const userId of ['anna', 'ben'])
        await intake.cast({
          ...{ ballotId, kind: 'poll', optionId: 'o1' },
          voter: { device: newDigest(), cookie: null, userId },
        });
      await setAside(context, { ballotId, cluster: {}, reason: 'operator-test', actor: 'operator' });
    }
    let removed: Promise<string> | undefined;
    await db.transaction(async (trx) => {
      await trx('users').where({ id: 'anna' }).forUpdate().select('id');
      await trx('events').where({ member_id: 'anna', subject: 'kept' }).del();
      removed = remove('doomed', 'kept');
      if (!isSqlite(db)) await Promise.race([removed, waitForLock(db)]);
      await trx('events').where({ member_id: 'anna' }).del();
    });
    expect(await removed).toMatch(looked);
    expect(await removed).not.toMatch(/SCAN votes|Seq Scan on votes /);
    const events = await eventsOf(db, 'ben', 'vote.cast');
    expect(events.map(({ details }) => details)).toMatchObject([{ setAside: true }, { setAside: true }]);
    await intake.drain();
  });

  test('a poll created under the id of a deleted one starts without votes, while the old ones are being deleted', async () => {
    const { db, intake, castAll, remove } = await start();
    const devices = Array.from({ length: 5 }, newDigest);
    await castAll('kept', [newDigest()]);
    await castAll('doomed', devices);
    await remove('doomed');
    await remove('kept');
    await seedPolls(db, [{ id: 'doomed' }]);
    const outcomes = await castAll('doomed', devices);
    expect(outcomes.map(({ status }) => status)).toEqual(devices.map(() => 'recorded'));
    await expectExactCounters(db);
    while (await deleteNextVotes(db, intake));
    await expectExactCounters(db);
    expect((await db('ballots').where({ id: 'doomed' }).first<{ total_votes: number }>()).total_votes).toBe(5);
    await intake.drain();
  });

  test('two processes that delete the same votes leave every counter exact', async () => {
    const { db, intake, castAll, participants, remove } = await start();
    const devices = Array.from({ length: deletedAtOnce + 50 }, newDigest);
    await castAll('doomed', devices);
    await remove('doomed');
    const work = async () => {
      while (await deleteNextVotes(db, intake));
    };
    await Promise.all([work(), work(), castAll('kept', devices.slice(0, 100))]);
    expect(await participants()).toBe(devices.length);
    await expectExactCounters(db);
    await intake.drain();
  });
});

import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { newDigest, storedVotes } from '#api/testing/votes.ts';
import { collectVotes } from './collect.service.ts';
import type { CollectedVote } from './collect.service.ts';
import { createVotingIntake } from './intake.service.ts';

eachDatabase((open) => {
  async function start(processes: number) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    const intakes = Array.from({ length: processes }, () =>
      createVotingIntake({ db, clock: fixedClock(testNow), log: silentLogger }),
    );
    let next = 0;
    const cast = async () => {
      const voter = { device: newDigest(), cookie: newDigest(), userId: null };
      const intake = intakes[next++ % processes]!;
      return intake.cast({ ballotId: 'p', kind: 'poll', optionId: 'o1', voter });
    };
    return { db, cast, drain: () => Promise.all(intakes.map((intake) => intake.drain())) };
  }

  test('every vote is collected once, in the order of ids and in batches, while several processes record more', async () => {
    const { db, cast, drain } = await start(3);
    const collected: CollectedVote[] = [];
    let afterId = 0;
    let recording = true;
    const votes = (async () => {
      for (let round = 0; round < 30; round++) await Promise.all(Array.from({ length: 7 }, cast));
      await drain();
      recording = false;
    })();
    for (let last = false; !last;) {
      last = !recording;
      const { throughId, votes: some } = await collectVotes(db, afterId, 10);
      expect(some.length).toBeLessThanOrEqual(10);
      for (const { id } of some) expect(id > afterId && id <= throughId).toBe(true);
      collected.push(...some);
      afterId = throughId;
      last &&= some.length < 10;
    }
    await votes;
    expect(collected.map(({ device }) => device)).toEqual((await storedVotes(db)).map(({ device }) => device));
    expect(collected).toHaveLength(210);
    const ids = collected.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(await collectVotes(db, afterId, 10)).toEqual({ throughId: afterId, votes: [] });
  });

  test('gaps that deletions leave are passed over', async () => {
    const { db, cast, drain } = await start(1);
    for (let n = 0; n < 40; n++) await cast();
    await drain();
    const ids = (await db('votes').orderBy('id').select<{ id: number }[]>('id')).map(({ id }) => id);
    await db('votes').whereBetween('id', [ids[3]!, ids[36]!]).del();
    const { votes, throughId } = await collectVotes(db, 0, 5);
    expect(votes.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[2], ids[37], ids[38]]);
    expect(throughId).toBe(ids[38]);
    expect((await collectVotes(db, throughId, 5)).votes).toHaveLength(1);
  });
});

import { expect, test } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { addVotes, isGone } from './bulk-votes.ts';
import { makeCommunityPolls } from './make-polls.ts';

eachDatabase((open) => {
  test('votes added in bulk are counted exactly, and a poll is gone once its last vote and the poll itself are', async () => {
    const { db, url } = await open();
    const filling = openDatabase(url);
    const [id = ''] = await makeCommunityPolls(filling, 1);
    await filling.destroy();
    await addVotes(url, id, 250, () => undefined);
    await expectExactCounters(db);
    expect(await db('votes').count({ count: '*' }).first()).toEqual({ count: 250 });
    expect(await isGone(db, id, 250)).toBe(false);
    await db('votes').del();
    expect(await isGone(db, id, 250)).toBe(false);
    await db('ballots').where({ id }).del();
    expect(await isGone(db, id, 250)).toBe(true);
  });
});

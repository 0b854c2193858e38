import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';

eachDatabase((open) => {
  test('a fresh database has the headline counters at zero', async () => {
    const { db } = await open();
    const shards = await db('statistics').select('total_votes', 'total_participants', 'total_polls');
    expect(shards).toEqual(Array(16).fill({ total_votes: 0, total_participants: 0, total_polls: 0 }));
  });

  test('an end before the start is refused by the database itself', async () => {
    const { db } = await open();
    const ballot = { id: 'b', kind: 'poll', starts_at: 10, ends_at: 5 };
    await expect(db('ballots').insert(ballot)).rejects.toThrow(/ballots_end_after_start/);
  });
});

import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';

eachDatabase((open) => {
  test('a fresh database has the headline counters at zero', async () => {
    const { db } = await open();
    expect(await db('statistics').sum('total_votes as sum').first()).toEqual({ sum: expect.anything() });
    expect(await db('statistics')).toHaveLength(16);
  });

  test('an end before the start is refused by the database itself', async () => {
    const { db } = await open();
    const ballot = { id: 'b', kind: 'poll', starts_at: 10, ends_at: 5 };
    await expect(db('ballots').insert(ballot)).rejects.toThrow(/ballots_end_after_start/);
  });
});

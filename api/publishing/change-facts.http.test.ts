import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { factsOf } from './change-facts.queries.ts';

oneDatabase((open) => {
  test('the place of a closed poll in the sitemap is by its end, then its id, near either end', async () => {
    const { db } = await open();
    const hour = 3_600_000;
    // Most are old, so that counting by places and by time begin at different ends.
    const ends = [0, 1, 1, 2, 3, 90, 100];
    const ids = ends.map((_, n) => `poll-${n}`);
    await seedPolls(
      db,
      ends.map((end, n) => ({ id: ids[n]!, closedAt: testNow + end * hour })),
    );
    for (const [n, key] of ids.entries()) {
      const change = { kind: 'report', key } as const;
      const facts = await factsOf(db, [change]);
      expect(facts(change)).toMatchObject({ place: n + 1, total: ends.length });
    }
  });
});

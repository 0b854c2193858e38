import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { pollsTemplate } from '#domain/polls-template.ts';
import { fixedClock } from '#platform/clock.ts';

oneDatabase((open) => {
  test('[S2.122] the poll template imports unchanged, as an open poll', async () => {
    const { db } = await open();
    const source = Readable.from([Buffer.from(pollsTemplate(testNow))]);
    const clock = fixedClock(testNow);
    expect(await importPolls({ db, clock, source, fileName: 'polls-template.csv' })).toMatchObject({
      ...{ inserted: 1, rejected: 0, errors: [], warnings: [] },
    });
    const { is_active, starts_at, ends_at, ...ballot } = (await db('ballots').first())!;
    expect(ballot).toMatchObject({ id: 'example-library-hours', closed_at: null });
    expect([Boolean(is_active), starts_at <= testNow, ends_at! > testNow]).toEqual([true, true, true]);
    expect(await db('polls').first()).toMatchObject({ tags: '["libraries","opening hours"]', author: 'The editors' });
  });
});

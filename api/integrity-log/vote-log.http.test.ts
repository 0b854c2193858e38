import { expect, test } from 'vitest';
import type { PollIntegrity } from '#contract/integrity-log.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { castVotes, logWriter, recountPublished } from '#api/testing/vote-logs.ts';
import type { LogContext } from './site-log.service.ts';
import { tick } from './tick.service.ts';

const hour = 3_600_000;

eachDatabase((open) => {
  const start = async (): Promise<{
    db: Database;
    app: TestApp;
    writer: LogContext;
    clock: ReturnType<typeof fixedClock>;
  }> => {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    return { db, app, clock, writer: logWriter(db, clock) };
  };
  const logOf = async (app: TestApp, id: string) =>
    ((await (await app.fetch(`/api/polls/${id}/integrity`)).json()) as PollIntegrity).log!;
  const close = (db: Database, id: string, at: number) =>
    db('ballots').where({ id }).update({ closed_at: at, is_active: false });

  test('a closed poll’s ballots file, checkpoints, and entries of the site-wide log pass the recount', async () => {
    const { db, app, writer, clock } = await start();
    await seedPolls(db, [{ id: 'tea', votes: [5, 0, 7] }]);
    await tick(writer);
    for (const [votes, option] of [
      [31, 'o1'],
      [12, 'o2'],
      [3, 'o3'],
    ] as const) {
      await castVotes(db, 'tea', option, votes);
      clock.set(clock.now() + hour);
      await tick(writer);
    }
    await close(db, 'tea', clock.now());
    await tick(writer);
    const result = await recountPublished(app, 'tea');
    expect(result).toMatchObject({ verdict: 'ok', tally: { counted: [31, 12, 3] } });
    const log = await logOf(app, 'tea');
    expect(log.checkpoints.map((note) => parseCheckpoint(note)!.size)).toEqual([0, 21, 33, 46]);
    expect(log).toMatchObject({ base: [5, 0, 7], closed: true, waiting: 0 });
  });
});

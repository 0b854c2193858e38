import { expect, test } from 'vitest';
import { attemptCounters } from '#platform/attempts.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { areChangesDue, claimChanges, recordChanges } from '#api/publishing/changes.service.ts';
import { holdJob } from '#api/publishing/job.service.ts';
import { ImportRecorder } from '#api/polls/import/import-history.service.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { lifecycleTask } from './lifecycle.service.ts';

const hour = 3_600_000;
const day = 24 * hour;

eachDatabase((open) => {
  test('when the clock jumps ahead a day and back, closed polls stay closed and the others accept votes', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'short', endsAt: testNow + hour },
      { id: 'long', endsAt: testNow + 3 * day },
      { id: 'next', startsAt: testNow + 2 * hour, endsAt: testNow + 3 * day },
    ]);
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock });
    const turn = lifecycleTask({ db, clock, log: silentLogger });
    try {
      const member = await registered(app, 'traveller');
      const vote = (id: string) =>
        visitor(app)
          .fetch(`/api/polls/${id}/vote`, { method: 'POST', json: { optionId: 'o1' } })
          .then(({ status }) => status);
      for (const moment of [testNow, testNow + day, testNow, testNow - day, testNow + 1]) {
        clock.set(moment);
        await turn();
        expect(await vote('long')).toBe(200);
        expect((await member.fetch('/api/user')).status).toBe(200);
      }
      expect(await vote('short')).toBe(409);
      expect(await db('ballots').where({ id: 'short' }).pluck('closed_at')).toEqual([testNow + hour]);
      expect(await vote('next')).toBe(404);
      // Polls that open after the clock was set back are published.
      await forgetPages(db);
      clock.set(testNow + 2 * hour);
      await turn();
      expect(await vote('next')).toBe(200);
      expect(await waitingPages(db).pluck('key')).toEqual(['next']);
      expect((await reconcile(db)).wrongCounters).toEqual([]);
    } finally {
      await app.close();
    }
  });

  test('publishes and imports whose last heartbeat is in the future are taken over', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow + day);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'tea' }]);
    const claim = (trx: Database) => claimChanges(trx, clock.now(), 'all');
    const job = await holdJob({ db, clock }, claim);
    await recordChanges(db, clock.now(), [{ kind: 'poll', key: 'tea' }]);
    const head = { origin: 'page', fileName: null, actor: 'operator', mode: 'partial' } as const;
    await new ImportRecorder(db, clock, head).begin();
    clock.set(testNow);
    // Changes recorded by a clock that was ahead are due as well.
    expect(await areChangesDue(db, clock.now())).toBe(true);
    const taken = await holdJob({ db, clock }, claim);
    expect(taken).not.toBeNull();
    for (const one of [job, taken]) await one?.release();
    await new ImportRecorder(db, clock, head).begin();
    expect(await db('poll_imports').orderBy('id').pluck('state')).toEqual(['stopped', 'running']);
  });

  test('a limit reached while the clock was ahead lasts no longer than usual', async () => {
    const { db } = await open();
    const clock = fixedClock(testNow + day);
    const attempts = attemptCounters({ db, clock, secret: 's', on: true });
    const wrongPassword = [['signInHere', 'somebody']] as const;
    for (let n = 0; n < 10; n++) await attempts.count(wrongPassword);
    await expect(attempts.count(wrongPassword)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    clock.set(testNow);
    for (let n = 0; n < 10; n++) await attempts.count(wrongPassword);
    await expect(attempts.refuse(wrongPassword)).rejects.toMatchObject({
      headers: { 'retry-after': '900' },
    });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import type { BuildJob } from './build-job.model.ts';
import { buildDeadAfterMs, buildGoneAfterMs, claimDueJob, findJob, isWorkDue, newRunner } from './jobs.queries.ts';

import { publishDebounceMs, requestBuild, requestBuildNow, reviveDeadJob, runNextBuild } from './publishing.service.ts';
import type { RunningBuild } from './publishing.service.ts';

const start = Date.parse('2026-11-20T12:00:00Z');
const later = (ms: number) => start + ms;

const jobs = (db: Database) => db('build_jobs').orderBy('id').select<BuildJob[]>('*');

/** An empty build. */
const published = ({ publish }: RunningBuild) => publish(() => Promise.resolve());

eachDatabase((open) => {
  test('[D9.14] requests in quick succession become one build with all reasons', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await Promise.all([requestBuild(db, clock, 'a poll closed'), requestBuild(db, clock, 'polls were imported')]);
    await requestBuild(db, clock, 'a poll closed');
    const rows = await jobs(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.reason.split(', ').sort()).toEqual(['a poll closed', 'polls were imported']);
  });

  test('a request in a transaction is rolled back with it', async () => {
    const { db } = await open();
    const undone = db.transaction(async (trx) => {
      await requestBuild(trx, fixedClock(start), 'polls were imported');
      throw new Error('the import failed');
    });
    await expect(undone).rejects.toThrow('the import failed');
    expect(await jobs(db)).toHaveLength(0);
  });

  test('a requested build waits briefly for more requests', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuild(db, clock, 'a poll closed');
    expect(await isWorkDue(db, clock.now())).toBe(false);
    expect(await runNextBuild({ db, clock, build: published })).toEqual({ status: 'nothing-due' });
    clock.set(later(publishDebounceMs));
    expect(await isWorkDue(db, clock.now())).toBe(true);
    expect(await runNextBuild({ db, clock, build: published })).toMatchObject({
      status: 'succeeded',
      releaseId: expect.stringMatching(/^20261120T120002Z-/) as string,
    });
    expect(await isWorkDue(db, clock.now())).toBe(false);
  });

  test('[D9.17] of two processes that check at the same time, one builds', async () => {
    const { db, url } = await open();
    const other = openDatabase(url);
    try {
      const clock = fixedClock(start);
      await requestBuildNow(db, clock, 'a poll closed');
      let builds = 0;
      const build = (running: RunningBuild) => {
        builds += 1;
        return published(running);
      };
      const outcomes = await Promise.all([
        runNextBuild({ db, clock, build }),
        runNextBuild({ db: other, clock, build }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['nothing-due', 'succeeded']);
      expect(builds).toBe(1);
    } finally {
      await other.destroy();
    }
  });

  test('[D9.17] while a build is running no second one starts, and later requests are built after it', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuildNow(db, clock, 'first');
    const finish = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const first = runNextBuild({
      db,
      clock,
      async build(running) {
        begun.resolve(undefined);
        await finish.promise;
        await published(running);
      },
    });
    await begun.promise;
    const second = await requestBuildNow(db, clock, 'second');
    expect(await isWorkDue(db, clock.now())).toBe(false);
    expect(await claimDueJob(db, clock.now(), 'another process')).toBeNull();
    finish.resolve(undefined);
    expect(await first).toMatchObject({ status: 'succeeded' });
    expect(await runNextBuild({ db, clock, build: published })).toMatchObject({
      status: 'succeeded',
      job: { id: second, reason: 'second' },
    });
  });

  test('a build whose process died is repeated by another process', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    const id = await requestBuildNow(db, clock, 'a poll closed');
    await claimDueJob(db, clock.now(), 'a process that is killed');
    clock.set(later(buildDeadAfterMs));
    expect(await isWorkDue(db, clock.now())).toBe(false);
    clock.set(later(buildDeadAfterMs + 1));
    expect(await isWorkDue(db, clock.now())).toBe(true);
    expect(await runNextBuild({ db, clock, build: published })).toMatchObject({
      status: 'succeeded',
      job: { reason: 'a poll closed' },
    });
    expect(await findJob(db, id)).toMatchObject({ status: 'failed', error: publishingTexts.runnerDied });
  });

  test('a build whose process on this machine is gone is taken over after a few seconds', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuildNow(db, clock, 'a poll closed');
    const gone = newRunner().replace(/:\d+:/, `:${await endedProcess()}:`);
    await claimDueJob(db, clock.now(), gone);
    clock.set(later(buildGoneAfterMs));
    expect(await isWorkDue(db, clock.now())).toBe(false);
    clock.set(later(buildGoneAfterMs + 1));
    expect(await runNextBuild({ db, clock, build: published })).toMatchObject({ status: 'succeeded' });

    await requestBuildNow(db, clock, 'a poll closed');
    await claimDueJob(db, clock.now(), newRunner());
    clock.set(clock.now() + buildGoneAfterMs + 1);
    expect(await isWorkDue(db, clock.now())).toBe(false);
  });

  test('a build that kills its process every time is not retried forever', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuildNow(db, clock, 'a poll closed');
    for (const waits of [true, true, false]) {
      await claimDueJob(db, clock.now(), 'a process that is killed');
      clock.set(clock.now() + buildDeadAfterMs + 1);
      await reviveDeadJob(db, clock);
      expect(await isWorkDue(db, clock.now())).toBe(waits);
    }
  });

  test('[D9.15] a failed build states the reason and is not repeated automatically', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    const id = await requestBuildNow(db, clock, 'a poll closed');
    const outcome = await runNextBuild({ db, clock, build: () => Promise.reject(new Error('no disk space left')) });
    expect(outcome.status).toBe('failed');
    expect(await findJob(db, id)).toMatchObject({ status: 'failed', error: 'no disk space left' });
    expect(await isWorkDue(db, clock.now())).toBe(false);
  });

  test('a build that lost its job to another process publishes nothing', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuildNow(db, clock, 'a poll closed');
    let switched = false;
    const outcome = await runNextBuild({
      db,
      clock,
      async build({ job, publish }) {
        await db('build_jobs').where({ id: job.id }).update({ status: 'failed' });
        await publish(() => {
          switched = true;
          return Promise.resolve();
        });
      },
    });
    expect(outcome).toMatchObject({ status: 'failed', error: { message: publishingTexts.jobLost } });
    expect(switched).toBe(false);
  });

  test('a build that is stopped with its service is queued again', async () => {
    const { db } = await open();
    const clock = fixedClock(start);
    await requestBuildNow(db, clock, 'a poll closed');
    const stop = new AbortController();
    await runNextBuild({
      db,
      clock,
      signal: stop.signal,
      async build(running) {
        stop.abort(new Error('SIGTERM'));
        await published(running);
      },
    });
    expect((await jobs(db)).map(({ status }) => status)).toEqual(['failed', 'queued']);
  });
});

/** The id of a process that has exited. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return child.pid ?? 0;
}

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { fixedClock, systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { createLogger, silentLogger } from '#platform/logger.ts';
import { newRunner } from '#platform/runner.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { testNow } from '#api/testing/test-app.ts';
import { claimJob, dueKinds, enqueue, leaseMs } from './jobs.service.ts';
import type { NewJob } from './jobs.service.ts';
import { JobFailure, runDueJobs, startJobs } from './runner.service.ts';
import type { Job, JobKinds, QueuedKind } from './runner.service.ts';

const second = 1_000;
const minute = 60 * second;
const day = 86_400_000;

/** A kind whose jobs are retried after one and five minutes. */
const queued = (run: QueuedKind['run'], more: Partial<QueuedKind> = {}): QueuedKind => ({
  ...{ run, lanes: 1, retryMs: [minute, 5 * minute], failed: 'the job failed' },
  ...more,
});
const nameOf = ({ payload }: Job) => (payload as { name: string }).name;

eachDatabase((open) => {
  async function start() {
    const { db, url } = await open();
    const clock = fixedClock(testNow);
    const done: string[] = [];
    const lines: string[] = [];
    const log = createLogger('api', {
      level: 'info',
      json: true,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const work = (job: Job) => Promise.resolve(void done.push(nameOf(job)));
    const add = (name: string, more: Partial<NewJob> = {}) =>
      enqueue(db, [{ kind: 'mail', dueAt: clock.now(), payload: { name }, ...more }]);
    const runDue = (kinds: JobKinds = { mail: queued(work) }, handle: Database = db) =>
      runDueJobs({ db: handle, clock, log, kinds });
    /** What a process leaves behind that is killed while it does the job. */
    const killAt = (lease: string) =>
      claimJob(db, { kind: 'mail', horizonMs: day, now: clock.now(), lease, without: [] });
    return { db, url, clock, done, lines, log, work, add, runDue, killAt };
  }

  test('of several processes, one does each job, in the order in which they are due', async () => {
    const { db, url, clock, done, add, runDue } = await start();
    for (let n = 9; n > 0; n--) await add(`${n}`, { dueAt: testNow + n });
    expect(await runDue()).toBe(0);
    clock.set(testNow + 9);
    const others = [openDatabase(url), openDatabase(url)];
    const counts = await Promise.all([db, ...others].map((handle) => runDue(undefined, handle)));
    for (const other of others) await other.destroy();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9);
    expect(done.toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(await db('jobs')).toEqual([]);
  });

  test('a job exists if and only if its transaction is committed', async () => {
    const { db, runDue } = await start();
    const rolledBack = db.transaction(async (trx) => {
      await enqueue(trx, [{ kind: 'mail', dueAt: testNow }]);
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    expect(await runDue()).toBe(0);
  });

  test('a job that a killed process was doing is done by another one when its lease ends', async () => {
    const { clock, done, add, runDue, killAt } = await start();
    await add('tea');
    await killAt('elsewhere/1:1:x');
    clock.set(testNow + leaseMs - 1);
    expect([await runDue(), done]).toEqual([0, []]);
    clock.set(testNow + leaseMs);
    expect([await runDue(), done]).toEqual([1, ['tea']]);
  });

  test('a job of a process of this machine that ended is done at once', async () => {
    const { done, add, runDue, killAt } = await start();
    await add('tea');
    // Above the largest id of a process.
    await killAt(newRunner().replace(`:${process.pid}:`, ':99999999:'));
    expect([await runDue(), done]).toEqual([1, ['tea']]);
  });

  test('a job that kills its processes is given up after its attempts', async () => {
    const { db, clock, done, lines, add, runDue, killAt } = await start();
    await add('poison');
    for (let attempt = 0; attempt < 3; attempt++) {
      await killAt('elsewhere/1:1:x');
      clock.set(clock.now() + leaseMs);
    }
    expect([await runDue(), done, await db('jobs')]).toEqual([0, [], []]);
    expect(lines.join('')).toContain('the job failed and was given up');
  });

  test('what follows from giving a job up is stored with it, whether it failed, was refused for good, or killed its processes', async () => {
    const { db, clock, add, runDue, killAt } = await start();
    const told: [name: string, attempts: number, next: string][] = [];
    const givenUp: QueuedKind['recordFailure'] = (job) =>
      db.transaction(async (trx) => {
        const next = await job.retry(trx);
        told.push([nameOf(job), job.attempts, next]);
        if (next === 'given-up') await enqueue(trx, [{ kind: 'digest', dueAt: clock.now(), key: nameOf(job) }]);
      });
    const fail = (job: Job) => Promise.reject(nameOf(job) === 'refused' ? new JobFailure({}, true) : new Error('No!'));
    const kinds = { mail: queued(fail, { recordFailure: givenUp }) };
    await add('refused');
    await runDue(kinds);
    await add('failed');
    for (const wait of [0, minute, 5 * minute]) {
      clock.set(clock.now() + wait);
      await runDue(kinds);
    }
    await add('killer');
    for (let attempt = 0; attempt < 3; attempt++) {
      await killAt('elsewhere/1:1:x');
      clock.set(clock.now() + leaseMs);
    }
    await runDue(kinds);
    expect(told).toEqual([
      ['refused', 1, 'given-up'],
      ['failed', 1, 'later'],
      ['failed', 2, 'later'],
      ['failed', 3, 'given-up'],
      ['killer', 3, 'given-up'],
    ]);
    expect(await db('jobs').orderBy('id').pluck('key')).toEqual(['refused', 'failed', 'killer']);
  });

  test('a job that always fails, or that cannot be read, is retried with its pauses, given up, and delays no other', async () => {
    const { db, clock, done, lines, work, add, runDue } = await start();
    const kinds = {
      mail: queued((job) => (nameOf(job) === 'poison' ? Promise.reject(new Error('No!')) : work(job)), { lanes: 3 }),
    };
    await add('poison', { lane: 'a' });
    await add('unreadable', { lane: 'b' });
    await db('jobs').where({ lane: 'b' }).update({ payload: '{' });
    for (const [after, attempts] of [
      [0, 1],
      [minute, 2],
      [6 * minute, 3],
    ] as const) {
      clock.set(testNow + after - 1);
      expect(await runDue(kinds)).toBe(0);
      clock.set(testNow + after);
      await add('tea', { lane: 'c' });
      expect(await runDue(kinds)).toBe(1);
      expect(await db('jobs').pluck('attempts')).toEqual(attempts === 3 ? [] : [attempts, attempts]);
    }
    expect(done).toEqual(['tea', 'tea', 'tea']);
    const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(said.filter((line) => line === 'the job failed; will retry')).toHaveLength(4);
    expect(said.filter((line) => line === 'the job failed and was given up')).toHaveLength(2);
  });

  test('after a failure, a lane waits for the next look, and other lanes go on', async () => {
    const { clock, done, work, add, runDue } = await start();
    let fails = true;
    const kinds = {
      mail: queued((job) => (fails && nameOf(job).startsWith('a') ? Promise.reject(new Error('No!')) : work(job))),
    };
    for (const name of ['a1', 'a2', 'b1', 'b2']) await add(name, { lane: name.slice(0, 1) });
    expect([await runDue(kinds), done]).toEqual([2, ['b1', 'b2']]);
    fails = false;
    expect([await runDue(kinds), done]).toEqual([1, ['b1', 'b2', 'a2']]);
    clock.set(testNow + minute);
    expect([await runDue(kinds), done.at(-1)]).toEqual([1, 'a1']);
  });

  test('a job is due again soon when the clock was ahead and is set back', async () => {
    const { db, clock, done, add, runDue } = await start();
    clock.set(testNow + 30 * day);
    await add('queued ahead');
    await add('failed ahead');
    await db('jobs').update({ due_at: clock.now() + 5 * minute });
    clock.set(testNow);
    expect([await runDue(), done]).toEqual([2, ['queued ahead', 'failed ahead']]);
    await add('of today');
    clock.set(testNow - 1);
    expect(await runDue()).toBe(0);
  });

  test('what is due among 100,000 jobs that wait is found in an index', { timeout: 60_000 }, async () => {
    const { db, add, killAt } = await start();
    await db.raw(
      `insert into jobs (kind, key, due_at, first_due_at)
       with recursive n (n) as (select 1 union all select n + 1 from n where n < 100000)
       select 'digest', cast(n as varchar(130)), cast(? as bigint) + n, 0 from n`,
      [testNow],
    );
    await add('tea');
    await db.raw('analyze jobs');
    const horizons = new Map([['mail', day] as const, ['digest', day] as const]);
    const plans = await plansOf(db, async () => {
      expect(await dueKinds(db, horizons, testNow)).toEqual(new Set(['mail']));
      expect(await killAt('elsewhere/1:1:x')).toMatchObject({ attempts: 1 });
    });
    expect(plans).toContain('jobs_due');
    expect(plans).not.toMatch(/SCAN jobs|Seq Scan on jobs/);
  });

  test('a job that is enqueued again with its key is replaced, and done again if it was under way', async () => {
    const { db, done, work, add, runDue } = await start();
    await add('tea', { key: 'k' });
    await add('coffee', { key: 'k' });
    const kinds = {
      mail: queued(async (job) => {
        if (nameOf(job) === 'coffee') await add('cocoa', { key: 'k' });
        await work(job);
      }),
    };
    await runDue(kinds);
    expect([done, await db('jobs')]).toEqual([['coffee', 'cocoa'], []]);
  });

  test('repeated work is done by one of several processes, goes on after an error, and is no write each time', async () => {
    const { db, url, log, lines } = await start();
    const other = openDatabase(url);
    const writes: string[] = [];
    for (const handle of [db, other])
      handle.on('query', ({ sql }: { sql: string }) => void (/^(insert|update|delete)/i.test(sql) && writes.push(sql)));
    const ran: string[] = [];
    const kinds = (name: string): JobKinds => ({
      mail: {
        repeat: () => {
          ran.push(name);
          return ran.length === 2 ? Promise.reject(new Error('No!')) : Promise.resolve(undefined);
        },
        everyMs: 5,
        failed: 'could not work',
      },
    });
    const processes = await Promise.all(
      [db, other].map((handle, n) => startJobs({ db: handle, clock: systemClock, log, kinds: kinds(`${n}`) })),
    );
    await vi.waitFor(() => expect(ran.length).toBeGreaterThan(20), 10 * second);
    expect(new Set(ran).size).toBe(1);
    expect(writes.filter((sql) => sql.startsWith('update')).length).toBeLessThan(5);
    expect(lines.filter((line) => line.includes('could not work; retrying'))).toHaveLength(1);
    // The other one goes on at once when this one stops.
    const [first] = ran;
    await processes[Number(first)]!.stop();
    await vi.waitFor(() => expect(new Set(ran).size).toBe(2), 10 * second);
    await processes[1 - Number(first)]!.stop();
    expect(await db('jobs').pluck('lease')).toEqual([null]);
    await other.destroy();
  });

  test('work that cannot wait is repeated soon after an error', async () => {
    const { db, log } = await start();
    let ran = 0;
    const repeat = () => ((ran += 1) === 1 ? Promise.reject(new Error('No!')) : Promise.resolve(undefined));
    const kinds: JobKinds = { mail: { repeat, everyMs: day, afterErrorMs: 5, failed: 'could not work' } };
    const jobs = await startJobs({ db, clock: systemClock, log, kinds });
    await vi.waitFor(() => expect(ran).toBe(2), 10 * second);
    await jobs.stop();
  });

  test('work that each process repeats goes on in the others when one stops, and needs no row', async () => {
    const { db } = await start();
    const ran: number[] = [];
    const run = (n: number) =>
      startJobs({
        ...{ db, clock: systemClock, log: silentLogger },
        kinds: {
          mail: {
            repeat: () => Promise.resolve(void ran.push(n)),
            inEachProcess: true,
            everyMs: 5,
            failed: 'could not work',
          },
        },
      });
    const [one, other] = [await run(1), await run(2)];
    await vi.waitFor(() => expect(new Set(ran).size).toBe(2), 10 * second);
    await one.stop();
    ran.length = 0;
    await vi.waitFor(() => expect(ran.length).toBeGreaterThan(3), 10 * second);
    await other.stop();
    expect([new Set(ran), await db('jobs')]).toEqual([new Set([2]), []]);
  });

  test('a job that takes long delays no job of another kind or lane, keeps its lease, and ends before the service stops', async () => {
    const { db, done, work, add } = await start();
    const clock = systemClock;
    const slow = Promise.withResolvers<null>();
    const kinds: JobKinds = {
      mail: queued((job) => (nameOf(job) === 'slow' ? slow.promise.then(() => work(job)) : work(job)), { lanes: 2 }),
      digest: queued(work),
    };
    const dueAt = clock.now();
    await add('slow', { lane: 'a', dueAt });
    await add('same lane', { lane: 'a', dueAt });
    await add('other lane', { lane: 'b', dueAt });
    await add('other kind', { kind: 'digest', dueAt });
    const jobs = await startJobs({ db, clock, log: silentLogger, kinds });
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['other kind', 'other lane']), 10 * second);
    const stopped = jobs.stop();
    await pause(50);
    slow.resolve(null);
    await stopped;
    expect(done.at(-1)).toBe('slow');
    expect(await db('jobs').select('payload', 'attempts', 'lease')).toEqual([
      { payload: '{"name":"same lane"}', attempts: 0, lease: null },
    ]);
  });

  test('a job that does not end in time is aborted when the service stops, and its lease is given back', async () => {
    const { db, done, add, runDue, work } = await start();
    const never = queued(
      ({ signal }) => new Promise((_, failed) => signal.addEventListener('abort', () => failed(new Error('Aborted')))),
    );
    await add('tea', { dueAt: testNow });
    const jobs = await startJobs({ db, clock: systemClock, log: silentLogger, kinds: { mail: never }, stopMs: 50 });
    await vi.waitFor(async () => expect(await db('jobs').pluck('attempts')).toEqual([1]), 10 * second);
    await jobs.stop();
    expect(await db('jobs').select('attempts', 'lease')).toEqual([{ attempts: 0, lease: null }]);
    await db('jobs').update({ due_at: testNow });
    expect([await runDue({ mail: queued(work) }), done]).toEqual([1, ['tea']]);
  });

  test('a mail under way when the service stops keeps its lease until it is sent, so no other process sends it', async () => {
    const { db, add } = await start();
    const slow = Promise.withResolvers<null>();
    const mail = queued(() => slow.promise, { endsWithProcess: true });
    await add('tea', { dueAt: testNow });
    const jobs = await startJobs({ db, clock: systemClock, log: silentLogger, kinds: { mail }, stopMs: 50 });
    await vi.waitFor(async () => expect(await db('jobs').pluck('attempts')).toEqual([1]), 10 * second);
    await jobs.stop();
    expect(await db('jobs').whereNotNull('lease').pluck('attempts')).toEqual([1]);
    slow.resolve(null);
    await vi.waitFor(async () => expect(await db('jobs').pluck('id')).toEqual([]), 10 * second);
  });

  test('a job whose lease could not be renewed is aborted when it ends', async () => {
    const { db, add } = await start();
    const aborted = Promise.withResolvers<null>();
    const waiting = queued(({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(null));
      return aborted.promise;
    });
    await add('tea', { dueAt: testNow });
    const jobs = await startJobs({ db, clock: systemClock, log: silentLogger, kinds: { mail: waiting } });
    await vi.waitFor(async () => expect(await db('jobs').pluck('attempts')).toEqual([1]), 10 * second);
    await db.schema.renameTable('jobs', 'missing_jobs');
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + leaseMs);
    await aborted.promise;
    later.mockRestore();
    await db.schema.renameTable('missing_jobs', 'jobs');
    await jobs.stop();
  });

  test('repeated work whose processes were killed is due at once, however often', async () => {
    const { db, clock } = await start();
    const gone = newRunner().replace(`:${process.pid}:`, ':99999999:');
    await enqueue(db, [{ kind: 'sweep', key: '', dueAt: testNow }]);
    await db('jobs').update({ attempts: 9, lease: gone, due_at: testNow + leaseMs });
    let ran = 0;
    const repeat = () => Promise.resolve(void (ran += 1));
    const kinds: JobKinds = { sweep: { repeat, everyMs: minute, failed: 'could not work' } };
    await runDueJobs({ db, clock, log: silentLogger, kinds });
    expect(ran).toBe(1);
  });

  test('a process that has lost its lease learns of it, and does not end the job of the other one', async () => {
    const { db, clock, add, runDue } = await start();
    await add('tea');
    const taken: boolean[] = [];
    const kinds = {
      mail: queued(async (job) => {
        // It was paused for longer than its lease.
        clock.set(clock.now() + leaseMs);
        await claimJob(db, { kind: 'mail', horizonMs: day, now: clock.now(), lease: 'another', without: [] });
        taken.push(await job.finish(db));
      }),
    };
    await runDue(kinds);
    expect([taken, await db('jobs').select('lease', 'attempts')]).toEqual([
      [false],
      [{ lease: 'another', attempts: 2 }],
    ]);
  });
});

import { statfs } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Health } from './health.contract.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { systemClock } from '#platform/clock.ts';
import { healthWriteMs } from './health.service.ts';
import { examine } from '#api/admin/doctor/doctor.service.ts';
import { headerText } from '#site/client/api.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, statfs: vi.fn(real.statfs) };
});
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(statfs).mockReset();
});

async function health(app: TestApp): Promise<Health & { code: number }> {
  const response = await app.fetch('/api/health');
  return { code: response.status, ...((await response.json()) as Health) };
}

/** A clock that stands still, at some moment: the cache takes 0 for no moment at all. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(1);
}

/** Later checks run after the cached result has expired. */
const later = () => vi.advanceTimersByTime(healthWriteMs + 1);

function diskWith(freeBytes: number): void {
  const disk = { type: 0, bsize: 1, blocks: 1e12, bfree: freeBytes, bavail: freeBytes, files: 1e6, ffree: 1e6 };
  vi.mocked(statfs).mockResolvedValue(disk as never);
}

eachDatabase((open, engine, once) => {
  test('health is 503 while nothing can be written, like votes, and 200 again afterwards', async () => {
    stopClock();
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    const allow = forbidWriting(db, engine);
    const app = await startTestApp(db);
    const vote = async () =>
      (await visitor(app).fetch('/api/polls/p/vote', { method: 'POST', json: { optionId: 'o1' } })).status;
    expect([await health(app), await vote()]).toMatchObject([
      { code: 503, status: 'unavailable', database: 'read-only', publishedAt: null },
      503,
    ]);
    expect((await app.fetch('/api/statistics')).status).toBe(200);
    allow();
    later();
    expect([await health(app), await vote()]).toMatchObject([{ code: 200, status: 'ok', database: 'ok' }, 200]);
  });

  test('health writes at most once in ten seconds, no matter how often it is requested', async () => {
    stopClock();
    const { db } = await open();
    const writes = await countWrites(db, engine);
    const app = await startTestApp(db);
    await Promise.all(Array.from({ length: 40 }, () => health(app)));
    await health(app);
    expect(await writes()).toBe(1);
    vi.advanceTimersByTime(9_999);
    await health(app);
    expect(await writes()).toBe(1);
    vi.advanceTimersByTime(2);
    await health(app);
    expect(await writes()).toBe(2);
    const [figures] = await db('statistics').sum({ votes: 'total_votes' });
    expect(Number(figures?.votes)).toBe(0);
  });

  once('health, doctor, and admin page agree on how much disk space is too little', async () => {
    const { db, url } = await open();
    const levels = [
      [5_000_000_000, 'ok', 'ok'],
      [500_000_000, 'low', 'warning'],
      [50_000_000, 'critical', 'problem'],
      [1_000_000, 'full', 'problem'],
    ] as const;
    for (const [free, level, finding] of levels) {
      diskWith(free);
      const app = await startTestApp(db);
      const { code, disk } = await health(app);
      // A PostgreSQL server has its own disk, and reports what it cannot write.
      expect([free, disk, code]).toEqual([free, level, level === 'full' && engine === 'SQLite' ? 503 : 200]);
      const answer = await app.fetch('/api/admin/publishing', {
        headers: { [adminPasswordHeader]: headerText(testAdminPassword) },
      });
      expect(await answer.json()).toMatchObject({ disk: { level, freeBytes: free, wantedBytes: 1_000_000_000 } });
      const findings = await examine({ environment: { DATABASE_URL: url }, clock: systemClock, repair: false });
      expect(findings.find(({ check }) => check === 'disk')).toMatchObject({ level: finding });
    }
  });
});

/** Makes new connections read-only, like a disk that became read-only; returns a function that undoes it. */
function forbidWriting(db: Database, engine: string): () => void {
  type Done = (error?: Error | null) => void;
  interface Connection {
    exec(sql: string, done: Done): void;
    query(sql: string, done: Done): void;
  }
  interface Pool {
    afterCreate?(connection: Connection, done: Done): void;
  }
  const { pool } = (db.client as { config: { pool: Pool } }).config;
  const before = pool.afterCreate?.bind(pool) ?? ((_, done: Done) => done());
  pool.afterCreate = (connection, done) =>
    before(connection, (error) => {
      if (error) done(error);
      else if (engine === 'SQLite') connection.exec('pragma query_only = on', done);
      else connection.query('set default_transaction_read_only = on', (failure) => done(failure));
    });
  return () => (pool.afterCreate = before);
}

/** Counts statements that write to the headline counters. */
async function countWrites(db: Database, engine: string): Promise<() => Promise<number>> {
  await db.schema.createTable('writes', (table) => void table.integer('n'));
  await db.raw(
    engine === 'SQLite'
      ? 'create trigger seen after update on statistics begin insert into writes values (1); end'
      : `create function seen() returns trigger language plpgsql as
         $$ begin insert into writes values (1); return null; end $$`,
  );
  if (engine !== 'SQLite')
    await db.raw('create trigger seen after update on statistics for each row execute function seen()');
  return async () => (await db('writes').count({ count: '*' }).first<{ count: number }>()).count;
}

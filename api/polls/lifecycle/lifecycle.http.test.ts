import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase, sweepBatch } from '#platform/database.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { closedAtOnce } from '#api/voting/ballots.service.ts';
import { closeDue } from './lifecycle.service.ts';
import { sweepExpired } from './sweep.service.ts';

eachDatabase((open) => {
  test('[S4.3 D4.1 D9.14] a poll closes at its end time: closedAt is endsAt, the archive counts it, the change is recorded', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'due', endsAt: testNow, category: 'Science' }, { id: 'open' }]);
    expect(await closeDue({ db, clock: fixedClock(testNow - 1) })).toEqual([]);
    expect(await closeDue({ db, clock: fixedClock(testNow + 60_000) })).toEqual(['due']);
    const ballot = (await db('ballots').where({ id: 'due' }).first())!;
    expect([Boolean(ballot.is_active), ballot.closed_at]).toEqual([false, testNow]);
    expect(await db('archive_categories')).toEqual([{ category: 'Science', closed_polls: 1 }]);
    expect(await waitingPages(db).pluck('kind')).toEqual(['poll']);
  });

  test('[D4.1] two concurrent processes close each poll once', async () => {
    const { db, url } = await open();
    const other = openDatabase(url);
    await seedPolls(
      db,
      Array.from({ length: 40 }, (_, index) => ({ id: `p${index}`, endsAt: testNow, category: `c${index % 4}` })),
    );
    const clock = fixedClock(testNow);
    const closed = (
      await Promise.all([closeDue({ db, clock }), closeDue({ db: other, clock }), closeDue({ db, clock })])
    ).flat();
    await other.destroy();
    expect(closed).toHaveLength(40);
    const counted = await db('archive_categories').orderBy('category');
    expect(counted).toEqual(['c0', 'c1', 'c2', 'c3'].map((category) => ({ category, closed_polls: 10 })));
  });

  test('any number of polls that end together are closed, in batches of one transaction each', async () => {
    const { db } = await open();
    const many = 2 * closedAtOnce + 3;
    const ballots = Array.from({ length: many }, (_, n) => ({
      ...{ id: `c${n}`, kind: 'community', starts_at: testNow - 1_000, ends_at: testNow - (n % 2) },
    }));
    await db.batchInsert('ballots', ballots, 100);
    const sizes: number[] = [];
    db.on('query-response', (rows: unknown, query: { sql: string }) => {
      if (/update .ballots/.test(query.sql)) sizes.push((rows as unknown[]).length);
    });
    expect(new Set(await closeDue({ db, clock: fixedClock(testNow) })).size).toBe(many);
    expect(sizes).toEqual([closedAtOnce, closedAtOnce, 3]);
    expect(await db('ballots').whereNull('closed_at')).toEqual([]);
  });

  test('expired sessions and counters are deleted', async () => {
    const { db } = await open();
    await db('users').insert({ id: 'u', username: 'u', username_key: 'u', password: '', created_at: 0, updated_at: 0 });
    for (const [sid, expire] of [
      ['over', testNow],
      ['running', testNow + 1],
    ] as const)
      await db('sessions').insert({ sid, sess: '{}', user_id: 'u', expire });
    // More than one statement deletes.
    const many = Array.from({ length: sweepBatch + 1 }, (_, n) => n);
    await db.batchInsert(
      'sessions',
      many.map((n) => ({ sid: `s${n}`, sess: '{}', user_id: 'u', expire: testNow - n })),
      100,
    );
    await db.batchInsert(
      'attempts',
      many.map((n) => ({ key: `a${n}`, used: 1, resets_at: testNow - n })),
      100,
    );
    await sweepExpired({ db, clock: fixedClock(testNow) });
    expect(await db('sessions').pluck('sid')).toEqual(['running']);
    expect(await db('attempts')).toEqual([]);
  });
});

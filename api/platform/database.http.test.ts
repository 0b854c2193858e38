import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sqlitePath } from '#platform/config.ts';
import { openDatabase, sqliteFileOf } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';

eachDatabase((open) => {
  test('[D3.6] a fresh database has the headline counters at zero', async () => {
    const { db } = await open();
    const shards = await db('statistics').select('total_votes', 'total_participants', 'total_polls');
    expect(shards).toEqual(Array(16).fill({ total_votes: 0, total_participants: 0, total_polls: 0 }));
  });

  test('[S3.4] a poll is stored as active and without votes by default', async () => {
    const { db } = await open();
    await db('ballots').insert({ id: 'p', kind: 'poll', starts_at: 1_000, ends_at: 2_000 });
    await db('ballot_options').insert({ ballot_id: 'p', option_id: 'o1', position: 0, text: 'Tea' });
    const { is_active, ...ballot } = (await db('ballots').first())!;
    expect([Boolean(is_active), ballot]).toMatchObject([true, { base_votes: 0, total_votes: 0, closed_at: null }]);
    expect(await db('ballot_options').first()).toMatchObject({ base_votes: 0, votes: 0 });
  });

  test('the path of a SQLite database is known, read-only or not', async () => {
    const { url } = await open();
    for (const readOnly of [false, true]) {
      const db = openDatabase(url, { readOnly });
      expect(sqliteFileOf(db)).toBe(sqlitePath(url));
      await db.destroy();
    }
  });

  test('the database refuses an end before the start', async () => {
    const { db } = await open();
    const ballot = { id: 'b', kind: 'poll' as const, starts_at: 10, ends_at: 5 };
    await expect(db('ballots').insert(ballot)).rejects.toThrow(/ballots_end_after_start/);
  });

  test('a transaction that reads before it writes is recorded while another process writes', async () => {
    const { db, url } = await open();
    const other = openDatabase(url);
    const write = async (to: Database, name: string) => {
      await to('installation').insert({ name, value: 'written' });
    };
    await other.raw('select 1');
    let meanwhile = Promise.resolve();
    await db.transaction(async (trx) => {
      await trx('installation').first('name');
      meanwhile = write(other, 'other');
      await Promise.race([meanwhile, sleep(50)]);
      await write(trx, 'own');
    });
    await meanwhile;
    await other.destroy();
    expect(await db('installation').where({ value: 'written' }).orderBy('name').pluck('name')).toEqual([
      'other',
      'own',
    ]);
  });
});

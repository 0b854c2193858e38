import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';

eachDatabase((open, engine) => {
  test.runIf(engine === 'PostgreSQL')('counting a vote updates no index of the counted rows', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    // Only the first vote on a community poll queues a badge count; later ones find it queued.
    await db('ballots').insert({ id: 'c', kind: 'community', starts_at: 0, total_votes: 1 });
    const changes = await db.transaction(async (trx) => {
      for (const id of ['p', 'c']) await trx('ballots').where({ id }).increment('total_votes', 1);
      await trx('ballot_options').where({ ballot_id: 'p', option_id: 'o1' }).increment('votes', 1);
      await trx('statistics').where({ shard: 3 }).increment('total_votes', 1);
      return trx('pg_stat_xact_user_tables')
        .where('n_tup_upd', '>', 0)
        .orderBy('relname')
        .select<{ table: string; all: number; inPlace: number }[]>({
          ...{ table: 'relname', all: 'n_tup_upd', inPlace: 'n_tup_hot_upd' },
        });
    });
    expect(changes.map(({ table }) => table)).toEqual(['ballot_options', 'ballots', 'statistics']);
    for (const { table, all, inPlace } of changes) expect(inPlace, table).toBe(all);
  });
});

import { expect, test } from 'vitest';
import { eachDatabase } from './databases.ts';

const engines: string[] = [];

eachDatabase((open) => {
  test('opens a new database', async () => {
    const { db } = await open();
    const isSqlite = await db.raw('select sqlite_version()').then(
      () => true,
      () => false,
    );
    engines.push(
      isSqlite
        ? 'SQLite'
        : String((await db.raw<{ rows: { version: string }[] }>('select version()')).rows[0]?.version),
    );
  });
});

test('[D1.14] tests of the API run on SQLite and PostgreSQL', () => {
  expect(engines).toEqual(['SQLite', expect.stringMatching(/^PostgreSQL /)]);
});

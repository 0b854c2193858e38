import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { appliedMigrations, isSqlite, knownMigrations, migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { describeSchema } from '#api/admin/doctor/schema.queries.ts';
import { restoreBackup } from '#api/backup/restore.service.ts';
import { emptyPlaces, runCommandOn, startCommand } from '#api/testing/empty-places.ts';
import type { Place } from '#api/testing/empty-places.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { slow } from '#api/testing/slow.ts';

const empty = emptyPlaces();
const fixture = async (name: string) =>
  gunzipSync(await readFile(new URL(`fixtures/0.3.0.${name}.gz`, import.meta.url)));

async function withDatabase<Result>(url: string, use: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(url);
  return use(db).finally(() => db.destroy());
}

/** A small site of version 0.3.0: demonstration polls, a member, votes, a community poll, a comment. */
async function site030(engine: 'SQLite' | 'PostgreSQL'): Promise<Place> {
  const place = await empty.place(engine);
  if (engine === 'SQLite') await writeFile(join(place.dataDir, 'weathervane.sqlite'), await fixture('sqlite'));
  else await withDatabase(place.url, async (db) => db.raw((await fixture('postgres.sql')).toString()));
  await writeFile(join(place.dataDir, 'secrets.json'), JSON.stringify(secrets));
  return place;
}

/** The file that `npm run backup` has written. */
const tarballIn = (output: string) => /\S+\.tar\.gz/.exec(output)![0];

const secrets = {
  ...{ sessionKeys: ['a session key of thirty-two letters'], siteKey: 'k', adminPasswordHash: 'h' },
  ...{ voterKey: 'a voter key of thirty-two letters', logKey: 'cd'.repeat(32), witnessKey: 'ef'.repeat(32) },
};

/** Tables that later versions drop. */
const dropped = ['site_releases', 'network_salts'];

/** The columns of every table, without those of the migrations. */
async function columnsOf(db: Database) {
  const tables = [...(await describeSchema(db)).keys()].flatMap((name) => /^table (.*)$/.exec(name)?.[1] ?? []);
  const columns: Record<string, string[]> = {};
  for (const table of tables.filter((name) => !/^knex_|^search_(index|titles)/.test(name) && !dropped.includes(name)))
    columns[table] = Object.keys(await db(table).columnInfo());
  return columns;
}

/** The rows of tables, by default of all that the database has, with these columns. */
async function allRows(db: Database, columns?: Awaited<ReturnType<typeof columnsOf>>) {
  const rows: Record<string, string[]> = {};
  for (const [table, names] of Object.entries(columns ?? (await columnsOf(db))))
    rows[table] = (await db(table).select(names)).map((row) => JSON.stringify(row)).sort();
  return rows;
}

/** The schema, with the order of columns, which copies of rows depend on. */
async function schemaOf(db: Database) {
  const columns = isSqlite(db)
    ? await db.raw<unknown>(
        `select m.name, group_concat(c.name, ' ' order by c.cid) as columns from sqlite_schema m join pragma_table_info(m.name) c
         where m.type = 'table' group by m.name order by m.name`,
      )
    : (
        await db.raw<{ rows: unknown }>(
          `select table_name, string_agg(column_name, ' ' order by ordinal_position) as columns from information_schema.columns
           where table_schema = current_schema() group by table_name order by table_name`,
        )
      ).rows;
  return { columns, parts: Object.fromEntries(await describeSchema(db)) };
}

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (engine) => {
  test('a database of version 0.3.0 is adopted with all of its rows, and its schema equals that of a new one', async () => {
    const [old, fresh] = [await site030(engine), await empty.place(engine)];
    const columns = await withDatabase(old.url, columnsOf);
    const before = await withDatabase(old.url, (db) => allRows(db, columns));
    expect(Object.values(before).flat().length).toBeGreaterThan(200);
    for (const { url } of [old, fresh]) await withDatabase(url, (db) => migrate(db));
    await withDatabase(old.url, async (db) => {
      expect(await db('knex_migrations').orderBy('id').pluck('name')).toEqual(knownMigrations());
      // Later versions add columns.
      expect(await allRows(db, columns)).toEqual(before);
      await expectExactCounters(db);
      expect(await schemaOf(db)).toEqual(await withDatabase(fresh.url, schemaOf));
    });
  });

  test('an adoption that is killed at any moment is completed by the next start', slow, async () => {
    const place = await site030(engine);
    for (const ms of [150, 250, 300, 350, 400, 500]) {
      const { answer, kill } = startCommand('migrate', place, []);
      setTimeout(kill, ms);
      await answer;
    }
    expect((await runCommandOn('migrate', place)).code).toBe(0);
    await withDatabase(place.url, async (db) => expect(await appliedMigrations(db)).toEqual(knownMigrations()));
  });

  test('a backup of version 0.3.0 is restored', async () => {
    const [old, place] = [await site030(engine), await empty.place(engine)];
    const { output } = await runCommandOn('backup', old, await empty.folder());
    const file = tarballIn(output);
    await restoreBackup({
      config: { databaseUrl: place.url, dataDir: place.dataDir, voterKey: null },
      file,
      onProgress: () => undefined,
    });
    const { votes = [] } = await withDatabase(old.url, columnsOf);
    const [rows, before] = [place, old].map(({ url }) => withDatabase(url, (db) => allRows(db, { votes })));
    expect(await rows).toEqual(await before);
  });

  test('a database of an earlier version, or an incomplete one, is refused and told to update to 0.3.0 first', async () => {
    const place = await site030(engine);
    const before = await withDatabase(place.url, async (db) => {
      await db('knex_migrations').where('id', '>', 20).del();
      return allRows(db);
    });
    const doctor = await runCommandOn('doctor', place);
    expect([doctor.code, doctor.output]).toEqual([1, expect.stringContaining('of a version before 0.3.0')]);
    expect(doctor.output).not.toContain('newer than this code');
    const { output } = await runCommandOn('backup', place, await empty.folder());
    const { complaint: refusal } = await runCommandOn('restore', await empty.place(engine), tarballIn(output));
    expect(refusal).toContain('was written by a version before 0.3.0');
    for (const command of ['migrate', 'api']) {
      const { code, complaint } = await runCommandOn(command, place);
      expect(code).toBe(1);
      expect(complaint).toContain('The database is of a version before 0.3.0');
    }
    expect(await withDatabase(place.url, allRows)).toEqual(before);
  });
});

import '#api/consequences.ts';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, inject, test } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { quickFolder } from './quick-folder.ts';
import { engineNames, quickEngineNames, runsSlow } from './slow.ts';

/** Opens a new, migrated database, which is closed and removed after the test. */
export type OpenTestDatabase = () => Promise<TestDatabase>;

export interface TestDatabase {
  readonly db: Database;
  /** The URL, for tests that open a second handle or start a process. */
  readonly url: string;
}

type Engine = { readonly name: 'SQLite' | 'PostgreSQL'; create(): Promise<{ url: string; remove(): Promise<void> }> };

const sqlite: Engine = {
  name: 'SQLite',
  async create() {
    const folder = await mkdtemp(join(quickFolder(), 'weathervane-sqlite-'));
    const file = join(folder, 'test.sqlite');
    await copyFile(inject('sqliteTemplate'), file);
    return {
      url: `sqlite:${file}`,
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** One handle per test file creates and drops its databases; its idle connection ends with the worker. */
let postgresAdmin: Database | undefined;

const postgres: Engine = {
  name: 'PostgreSQL',
  async create() {
    const server = inject('postgresUrl');
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const admin = (postgresAdmin ??= openDatabase(`${server}postgres`));
    // Copying files costs less than logging each page of the template.
    await admin.raw(`create database ${name} template migrated strategy file_copy`);
    return {
      url: `${server}${name}`,
      async remove() {
        await admin.raw(`drop database ${name} with (force)`);
      },
    };
  },
};

/** A new, migrated PostgreSQL database for programs that a test starts; the caller removes it. The template stays as it is. */
export const migratedPostgres = () => postgres.create();

/** The cleanups of each database, run in reverse order. */
const cleanUpsOf = new WeakMap<Database, (() => Promise<void>)[]>();

/** Runs `close` before this database is closed: a query that starts while the pool is closing waits for a minute. */
export function closeBefore(db: Database, close: () => Promise<void>): void {
  cleanUpsOf.get(db)?.push(close);
}

/** `once` is `test` for what no SQL decides that differs between databases: on PostgreSQL, it counts as slow. */
type Body = (open: OpenTestDatabase, engine: Engine['name'], once: typeof test.skip) => void;

/** Runs the same tests on SQLite and PostgreSQL, each on new databases. */
export const eachDatabase = (body: Body) => describeOn(engineNames, body);

/**
 * Runs tests on SQLite, and with slow tests on PostgreSQL as well: for tests without SQL or races of their own, whose
 * modules have tests on both.
 */
export const oneDatabase = (body: Body) => describeOn(quickEngineNames, body);

function describeOn(names: readonly Engine['name'][], body: Body): void {
  const engines = [sqlite, postgres].filter(({ name }) => names.includes(name));
  describe.each(engines)('on $name', (engine) => {
    const cleanUps: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    });
    body(
      async () => {
        const created = await engine.create();
        const { url } = created;
        cleanUps.push(() => created.remove());
        const db = openDatabase(url);
        cleanUps.push(() => db.destroy());
        cleanUpsOf.set(db, cleanUps);
        return { db, url };
      },
      engine.name,
      engine.name === 'SQLite' || runsSlow ? test : test.skip,
    );
  });
}

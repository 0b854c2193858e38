import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { appliedMigrations, applyMigrations, knownMigrations, migrate, openDatabase } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runProgram } from '#api/testing/run-program.ts';
import { runsSlow, slow } from '#api/testing/slow.ts';
import { prepareDatabase } from './prepare.ts';

let folder: string;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(quickFolder(), 'weathervane-migrate-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a command of the project; `output` collects its output. */
function run(command: string, env: Record<string, string>, args: readonly string[] = []) {
  const script = fileURLToPath(new URL(command, import.meta.url));
  const own = { NODE_ENV: 'production', DATA_DIR: join(folder, 'data'), RATE_LIMIT: 'off' };
  const program = runProgram([script, ...args], { ...own, ...env });
  cleanUps.push(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  return program;
}

/** An empty database without tables. */
const empty = {
  SQLite: () => Promise.resolve(`sqlite:${join(folder, 'empty.sqlite')}`),
  async PostgreSQL() {
    const server = inject('postgresUrl');
    const name = `empty_${Date.now()}`;
    const admin = openDatabase(`${server}postgres`);
    await admin.raw(`create database ${name}`);
    cleanUps.push(async () => {
      await admin.raw(`drop database ${name} with (force)`);
      await admin.destroy();
    });
    return server + name;
  },
};

test.each(['SQLite', 'PostgreSQL'] as const)(
  '[D1.7] several processes can prepare an empty %s database at the same time',
  { timeout: 90_000 },
  async (engine) => {
    const url = await empty[engine]();
    const running = Array.from({ length: runsSlow ? 3 : 2 }, () => run('migrate.ts', { DATABASE_URL: url }));
    expect(await Promise.all(running.map(async (one) => [await one.ended, one.output]))).toEqual(
      running.map(() => [0, expect.stringContaining('up to date')]),
    );
    const db = openDatabase(url);
    expect(await db('knex_migrations_lock').select('is_locked')).toEqual([{ is_locked: 0 }]);
    await db.destroy();
  },
);

test('several handles of one process can prepare an empty PostgreSQL database together', slow, async () => {
  const url = await empty.PostgreSQL();
  const handles = Array.from({ length: 6 }, () => openDatabase(url));
  await Promise.all(handles.map((db) => db.raw('select 1')));
  await Promise.all(handles.map((db) => migrate(db)));
  await Promise.all(handles.map((db) => db.destroy()));
});

eachDatabase((open, engine) => {
  test('preparing an up-to-date database writes nothing, so services start even on a full disk', async () => {
    const { db } = await open();
    const settings = { publicUrl: 'https://polls.example' };
    // Builds the search index.
    await prepareDatabase(db, settings);
    const statements: string[] = [];
    db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    expect(await prepareDatabase(db, settings)).toBe(0);
    expect(statements).not.toEqual([]);
    expect(statements.filter((sql) => !/^(select|PRAGMA table_info)/i.test(sql))).toEqual([]);
  });

  test('a migration that fails changes nothing, and the next attempt succeeds once the reason is gone', async () => {
    const db = openDatabase(await empty[engine]());
    cleanUps.push(() => db.destroy());
    await db.raw('create table polls (x integer)');
    await expect(migrate(db)).rejects.toThrow(/polls/);
    expect(await appliedMigrations(db)).toEqual([]);
    expect(await db.schema.hasTable('ballots')).toBe(false);
    await db.raw('drop table polls');
    await migrate(db);
    expect(await appliedMigrations(db)).toEqual(knownMigrations());
  });
});

test('only the owner can read a SQLite file and its logs', async () => {
  const file = join(folder, 'private.sqlite');
  const db = openDatabase(`sqlite:${file}`);
  await db.raw('create table x (y)');
  for (const path of [file, `${file}-wal`]) expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600]);
  await db.destroy();
});

interface Health {
  readonly status: string;
  readonly publishedAt: string | null;
}

/** Starts API services at the same time, each on its own port. */
async function startApis(count: number, url: string, args?: readonly string[]) {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  return ports.map((port) => {
    const origin = `http://127.0.0.1:${port}`;
    const service = run('api.ts', { DATABASE_URL: url, API_PORT: String(port) }, args);
    const health = async () => (await (await fetch(`${origin}/api/health`)).json()) as Health;
    return { origin, service, health };
  });
}

test(
  '[D1.7] three API services that start together on an empty PostgreSQL build the site once and share members',
  { ...slow, timeout: 120_000 },
  async () => {
    const url = await empty.PostgreSQL();
    const services = await startApis(3, url);
    await vi.waitFor(
      async () => {
        for (const { health } of services)
          expect(await health()).toMatchObject({ status: 'ok', publishedAt: expect.any(String) });
      },
      { timeout: 90_000, interval: 250 },
    );

    const account = { username: 'both', email: 'both@example.org', password: 'one of two' };
    const registered = await fetch(`${services[0]!.origin}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });
    expect(registered.status, await registered.clone().text()).toBe(201);
    const cookie = registered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    for (const { origin } of services) {
      const user = await fetch(`${origin}/api/user`, { headers: { cookie } });
      expect(await user.json()).toMatchObject({ username: 'both' });
    }

    const db = openDatabase(url);
    cleanUps.push(() => db.destroy());
    // The others may have found, when it was their turn, that nothing was left to publish.
    const publishes = db('events').whereIn('type', ['site.published', 'site.failed']).pluck('type');
    await vi.waitFor(async () => expect(await publishes.clone()).toEqual(['site.published']), {
      timeout: 20_000,
      interval: 100,
    });
  },
);

test.each([
  ['SQLite', 1],
  ['PostgreSQL', 2],
] as const)(
  '[D1.7] API services migrate a %s database of an older version at startup',
  { timeout: 90_000 },
  async (engine, count) => {
    const url = await empty[engine]();
    const db = openDatabase(url);
    cleanUps.push(() => db.destroy());
    await applyMigrations(db, knownMigrations().slice(0, -1));
    const services = await startApis(count, url, ['--no-publisher']);
    await vi.waitFor(
      async () => {
        for (const { health } of services) expect(await health()).toMatchObject({ status: 'ok' });
      },
      { timeout: 60_000, interval: 250 },
    );
    expect(await appliedMigrations(db)).toEqual(knownMigrations());
  },
);

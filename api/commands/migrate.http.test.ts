import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { prepareDatabase } from './prepare-database.ts';

let folder: string;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weathervane-migrate-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs a command of the project as a process; `said` grows while it runs. */
function run(command: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(command, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: join(folder, 'data'), RATE_LIMIT: 'off', ...env },
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  cleanUps.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const result = { said: '', ended };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (result.said += text));
  return result;
}

/** A database with nothing in it, not even a table. */
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
  'processes that prepare an empty %s database at the same time do not get in each other’s way',
  async (engine) => {
    const url = await empty[engine]();
    const running = Array.from({ length: 4 }, () => run('migrate.ts', { DATABASE_URL: url }));
    expect(await Promise.all(running.map(async (one) => [await one.ended, one.said]))).toEqual(
      running.map(() => [0, expect.stringContaining('newest schema')]),
    );
    const db = openDatabase(url);
    expect(await db('knex_migrations_lock').select('is_locked')).toEqual([{ is_locked: 0 }]);
    await db.destroy();
  },
);

test.each(['SQLite', 'PostgreSQL'] as const)(
  'preparing a %s database that is up to date writes nothing, so a full disk keeps nothing from starting',
  async (engine) => {
    const db = openDatabase(await empty[engine]());
    try {
      expect(await prepareDatabase(db)).toBeGreaterThan(0);
      const statements: string[] = [];
      db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
      expect(await prepareDatabase(db)).toBe(0);
      expect(statements).not.toEqual([]);
      expect(statements.filter((sql) => !/^(select|PRAGMA table_info)/i.test(sql))).toEqual([]);
    } finally {
      await db.destroy();
    }
  },
);

test('handles of one process that prepare an empty PostgreSQL database together all succeed', async () => {
  const url = await empty.PostgreSQL();
  const { migrate } = await import('#platform/database.ts');
  const handles = Array.from({ length: 6 }, () => openDatabase(url));
  await Promise.all(handles.map((db) => db.raw('select 1')));
  await Promise.all(handles.map((db) => migrate(db)));
  await Promise.all(handles.map((db) => db.destroy()));
});

test('a SQLite file and the logs beside it are nobody else’s to read', async () => {
  const file = join(folder, 'private.sqlite');
  const db = openDatabase(`sqlite:${file}`);
  await db.raw('create table x (y)');
  for (const path of [file, `${file}-wal`]) expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o600]);
  await db.destroy();
});

test(
  'two API services that start on an empty PostgreSQL build the site once and know each other’s members',
  { timeout: 120_000 },
  async () => {
    const url = await empty.PostgreSQL();
    const start = async () => {
      const port = await freePort();
      const env = { DATABASE_URL: url, API_PORT: String(port), PORT: String(await freePort()) };
      expect(await run('migrate.ts', env).ended).toBe(0);
      const service = run('api.ts', env);
      const health = async () => (await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()) as Health;
      return { origin: `http://127.0.0.1:${port}`, health, service };
    };
    interface Health {
      readonly status: string;
      readonly release: object | null;
    }
    const [one, two] = await Promise.all([start(), start()]);
    await vi.waitFor(
      async () => {
        for (const { health } of [one, two])
          expect(await health()).toMatchObject({ status: 'ok', release: { id: expect.any(String) } });
      },
      { timeout: 90_000, interval: 250 },
    );

    const account = { username: 'both', email: 'both@example.org', password: 'one of two' };
    const registered = await fetch(`${one.origin}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });
    expect(registered.status, await registered.clone().text()).toBe(201);
    const cookie = registered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const user = await fetch(`${two.origin}/api/user`, { headers: { cookie } });
    expect(await user.json()).toMatchObject({ username: 'both' });

    const db = openDatabase(url);
    cleanUps.push(() => db.destroy());
    await vi.waitFor(async () => expect(await db('build_jobs').select('status')).toEqual([{ status: 'succeeded' }]), {
      timeout: 20_000,
      interval: 100,
    });
    expect(await db('site_releases').count({ count: '*' }).first()).toEqual({ count: 1 });
  },
);

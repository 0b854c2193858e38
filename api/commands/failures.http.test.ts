import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { migratedPostgres, oneDatabase } from '#api/testing/databases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { runProgram } from '#api/testing/run-program.ts';
import { slow } from '#api/testing/slow.ts';

const timeout = 90_000;

let dataDir: string;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-failures-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts a command; `output` collects its output. */
function run(command: string, env: Record<string, string>) {
  const script = fileURLToPath(new URL(command, import.meta.url));
  const program = runProgram([script], { NODE_ENV: '', DATA_DIR: dataDir, DATABASE_URL: '', ...env });
  cleanUps.push(() => program.child.kill('SIGKILL'));
  return program;
}

/** A port on which another program listens. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  cleanUps.push(() => other.close());
  return (other.address() as AddressInfo).port;
}

test('a setting in the file .env takes effect in every npm command, unless the environment has it; no file is no complaint', async () => {
  const project = new URL('../../', import.meta.url);
  const { scripts } = JSON.parse(await readFile(new URL('package.json', project), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const ours = Object.entries(scripts).filter(([, line]) => line.includes(' api/commands/'));
  expect(ours.length).toBeGreaterThan(10);
  for (const [name, line] of ours)
    expect([name, line]).toEqual([name, expect.stringContaining('node --import ./api/commands/env-file.js ')]);

  const [, ...words] = scripts.site!.split(' ');
  const site = words.map((word) => (/^(\.\/)?api\//.test(word) ? fileURLToPath(new URL(word, project)) : word));
  const start = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, site, { cwd: dataDir, env: { PATH: process.env.PATH, ...env } });
    const output = await text(child.stderr);
    return output.trim();
  };
  expect(await start({ PORT: 'wrong' })).toMatch(/^PORT .*wrong/);
  await writeFile(join(dataDir, '.env'), 'PORT=from the file\n');
  expect(await start({})).toMatch(/^PORT .*from the file/);
  expect(await start({ PORT: 'from the environment' })).toMatch(/^PORT .*from the environment/);
});

test('commands wait for a database server that starts late', slow, async () => {
  const port = await freePort();
  const created = await migratedPostgres();
  cleanUps.push(() => created.remove());
  const server = new URL(created.url);
  const late = new URL(created.url);
  late.port = String(port);
  const running = run('migrate.ts', { DATABASE_URL: late.href });
  await vi.waitFor(() => expect(running.output).toContain('is not responding yet'), { timeout: 40_000 });
  const proxy = createServer((socket) => {
    const inner = connect(Number(server.port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const side of [socket, inner]) side.on('error', () => undefined);
  });
  proxy.listen(port, '127.0.0.1');
  cleanUps.push(() => proxy.close());
  expect(await running.ended).toBe(0);
  expect(running.output).toContain('The database is up to date.');
});

test('commands don’t wait for a database server that rejects the password', async () => {
  const running = run('migrate.ts', { DATABASE_URL: `${inject('postgresUrl')}no_such_database` });
  expect(await running.ended).toBe(1);
  expect(running.output.trim()).toMatch(/^The database server rejected the login \(.*no_such_database.*\)\. Check /);
});

test('a single service reports a taken port or an unwritable data folder', { ...slow, timeout }, async () => {
  const port = await takenPort();
  const site = run('site.ts', { PORT: String(port) });
  expect(await site.ended).toBe(1);
  expect(site.output.trim()).toMatch(new RegExp(`^PORT is ${port}, but another program is using that port\\.`));

  const api = run('api.ts', { API_PORT: String(port) });
  expect(await api.ended).toBe(1);
  expect(api.output).toMatch(new RegExp(`^API_PORT is ${port}, but another program is using that port\\.`, 'm'));

  await writeFile(join(dataDir, 'file'), '');
  const nowhere = run('api.ts', { DATA_DIR: join(dataDir, 'file', 'data'), API_PORT: String(await freePort()) });
  expect(await nowhere.ended).toBe(1);
  expect(nowhere.output.trim()).toMatch(/^DATA_DIR is “.*”, but that folder is not writable \(ENOTDIR\)\./);
});

test(
  'a site that starts before the API logs it, serves pages, and logs when the API responds',
  { ...slow, timeout },
  async () => {
    const [port, apiPort] = [await freePort(), await freePort()];
    const env = { PORT: String(port), API_PORT: String(apiPort), DEMO_DATA: 'off' };
    const site = run('site.ts', env);
    await vi.waitFor(() => expect(site.output).toContain('The API is not responding yet'), { timeout: 40_000 });
    const away = await fetch(`http://127.0.0.1:${port}/api/statistics`, {
      headers: { 'x-request-id': 'quoted-by-me-1' },
    });
    expect([away.status, away.headers.get('x-request-id')]).toEqual([503, 'quoted-by-me-1']);
    expect(await away.json()).toMatchObject({ code: 'API_UNREACHABLE', requestId: 'quoted-by-me-1' });
    run('api.ts', env);
    await vi.waitFor(() => expect(site.output).toContain('the API is responding now'), { timeout: 40_000 });
    expect(site.output).toContain('quoted-by-me-1');
  },
);

oneDatabase((open) => {
  test('a service refuses to start on a database of a newer version', { timeout }, async () => {
    const { db, url } = await open();
    const env = { DATABASE_URL: url, API_PORT: String(await freePort()) };
    await db('knex_migrations').insert({ name: '999_tomorrow.ts', batch: 99, migration_time: new Date() });
    for (const command of ['api.ts', 'migrate.ts']) {
      const running = run(command, env);
      expect(await running.ended).toBe(1);
      expect(running.output).toMatch(
        /^The database was migrated by a newer version .*\(unknown here: 999_tomorrow\.ts\)/m,
      );
    }
  });
});

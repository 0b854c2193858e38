import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runProgram } from '#api/testing/run-program.ts';
import { slow } from '#api/testing/slow.ts';
import { publishingProcess } from '#platform/little-memory.ts';
import { apiNodeArgs } from './supervisor.ts';

let dataDir: string;
const cleanUps: (() => void)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-start-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the command of npm start, or another one; `output` collects its output. */
function run(env: Record<string, string>, args = [fileURLToPath(new URL('start.ts', import.meta.url))]) {
  const own = { NODE_ENV: '', DATA_DIR: dataDir, DATABASE_URL: '', RATE_LIMIT: 'off' };
  const program = runProgram(args, { ...own, ...env });
  cleanUps.push(() => program.child.kill('SIGKILL'));
  return program;
}

test('[D1.3] a wrong setting stops the start with a message that names it', async () => {
  const running = run({ PORT: 'eighty' });
  expect(await running.ended).toBe(1);
  expect(running.output.trim()).toMatch(/^PORT is “eighty”, but it must be a port.*$/);
});

test('a taken port stops the start before anything is built', async () => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  cleanUps.push(() => other.close());
  const { port } = other.address() as AddressInfo;
  const running = run({ PORT: String(await freePort()), API_PORT: String(port) });
  expect(await running.ended).toBe(1);
  expect(running.output.trim()).toMatch(new RegExp(`^API_PORT is ${port}, but another program is using that port\\.`));
});

test('[D1.6] an unwritable data folder stops the start with a message', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
  const running = run({ DATA_DIR: join(file, 'data'), ...ports });
  expect(await running.ended).toBe(1);
  expect(running.output.trim()).toMatch(/^DATA_DIR is “.*a-file\/data”, but that folder is not writable \(ENOTDIR\)/);
});

test('an unreachable database is waited for and then stops the start with a message', async () => {
  const database = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`;
  const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
  const running = run({ DATABASE_URL: database, DATABASE_WAIT: '1', ...ports });
  expect(await running.ended).toBe(1);
  expect(running.output).toMatch(/^The database is not responding yet \(.*\)\. Waiting up to 1 s\.$/m);
  expect(running.output).toMatch(/^The database is not responding \(/m);
  expect(running.output).toContain('DATABASE_URL');
  // The password can be shown only once: the start that succeeds generates it.
  expect(running.output).not.toContain('password');
  expect(await readdir(dataDir)).not.toContain('secrets.json');
});

/** Has a process name itself when it ends, if it has loaded what removes types from code. */
const nameWhatRemovesTypes = `--import=data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    if (process.moduleLoadList.some((name) => name.includes('amaro'))) console.error(process.argv[1] + ' removes types.');
  });`)}`;

test('no service that npm start runs loads what removes types from code', { timeout: 120_000 }, async () => {
  const compiled = { NODE_COMPILE_CACHE: join(dataDir, 'compiled'), NODE_OPTIONS: nameWhatRemovesTypes };
  const database = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`;
  const ports = { PORT: String(await freePort()), API_PORT: String(await freePort()) };
  const starting = run({ ...compiled, ...ports, DATABASE_URL: database, DATABASE_WAIT: '1' });
  expect(await starting.ended).toBe(1);
  // It may load it: it ends at once.
  expect(starting.output).toContain('compile.ts removes types.');
  expect(starting.output).not.toMatch(/(start|site)\.ts removes types/);

  // These end as soon as they are loaded.
  for (const [script, reason, flags] of [
    ['api.ts', 'PORT', apiNodeArgs],
    ['../integrity/log/worker.ts', '', apiNodeArgs],
    ['publisher.ts', 'PORT', publishingProcess.nodeArgs],
    ['render-worker.ts', 'PORT', publishingProcess.nodeArgs],
  ] as const) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const service = run({ ...compiled, PORT: 'eighty' }, [...flags, path]);
    await service.ended;
    expect(service.output).toContain(reason);
    expect(service.output).not.toContain('removes types');
  }
});

test('a service started by npm stops when npm is stopped, and only its shell with it', async () => {
  const port = await freePort();
  const script = fileURLToPath(new URL('site.ts', import.meta.url));
  // The second command keeps the shell from exec-ing the first.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${script}"; exit`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), npm_lifecycle_event: 'site' },
  });
  const streamsClosed = new Promise((closed) => shell.once('close', closed));
  const answer = () => fetch(`http://127.0.0.1:${port}/`);
  await vi.waitFor(async () => expect((await answer()).status).toBe(503), { timeout: 15_000, interval: 100 });
  shell.stdout.resume();
  shell.kill('SIGTERM');
  await streamsClosed;
  await expect(answer()).rejects.toThrow();
});

oneDatabase((open, engine) => {
  test(
    '[D1.6 D1.13] the first start shows polls and an admin password; the second needs no build',
    // Every run starts an installation with SQLite for browser tests: site/e2e/third-parties.e2e.ts.
    { ...slow, timeout: 180_000 },
    async () => {
      // A fresh clone has no database: the file in DATA_DIR is created. A server’s database exists, with its tables.
      const url = engine === 'SQLite' ? '' : (await open()).url;
      const port = await freePort();
      const env = {
        PORT: String(port),
        API_PORT: String(await freePort()),
        DATABASE_URL: url,
        DEMO_DATA: 'on',
      };
      const first = run(env);
      await vi.waitFor(() => expect(first.output).toContain('is ready'), { timeout: 120_000, interval: 100 });
      expect(first.output).toMatch(/Admin +[a-z2-9-]{23}\n/);
      const home = await fetch(`http://127.0.0.1:${port}/`);
      expect(home.status).toBe(200);
      const page = await home.text();
      const polls = (await (await fetch(`http://127.0.0.1:${port}/api/polls/active`)).json()) as { id: string }[];
      expect(polls).toHaveLength(8);
      for (const { id } of polls) expect(page).toContain(`/poll/${id}`);
      const kept = await readdir(dataDir);
      expect(kept).toEqual(expect.arrayContaining(['builds', 'secrets.json']));
      if (engine === 'SQLite') expect(kept).toContain('weathervane.sqlite');
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);

      const second = run(env);
      await vi.waitFor(() => expect(second.output).toContain('is ready'), { timeout: 40_000, interval: 50 });
      expect(second.output).toContain(engine);
      expect(second.output).not.toMatch(/Admin|Publishing/);
      second.child.kill('SIGINT');
      expect(await second.ended).toBe(0);
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    },
  );
});

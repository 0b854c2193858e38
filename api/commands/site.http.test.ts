import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '#api/testing/postgres.setup.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { runProgram } from '#api/testing/run-program.ts';
import { publishTexts } from '#api/testing/test-builds.ts';

let dataDir: string;
const cleanUps: (() => void)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-site-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts the site service with its command; `output` collects what it logs. */
function run(env: Readonly<Record<string, string>>) {
  const script = fileURLToPath(new URL('site.ts', import.meta.url));
  const program = runProgram([script], { NODE_ENV: '', DATA_DIR: dataDir, LOG_LEVEL: 'info', ...env });
  cleanUps.push(() => program.child.kill('SIGKILL'));
  return program;
}

const longest = { timeout: 30_000, interval: 50 };

/** Starts the service and waits until all of its processes listen. */
async function started(processes: number) {
  const port = await freePort();
  const site = run({ PORT: String(port), SITE_PROCESSES: String(processes) });
  await vi.waitFor(() => expect(site.output).toContain('the site service is listening'), longest);
  return { ...site, site, port, pid: site.child.pid! };
}

/** The other processes of a service. */
const siblingsOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).map(Number);

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Reads the home page on a new connection; resolves with the status, or 'broken'. */
const read = (port: number) =>
  new Promise<number | 'broken'>((done) => {
    request({ host: '127.0.0.1', port, agent: false }, (response) => {
      response.resume().once('close', () => done(response.statusCode ?? 0));
    })
      .once('error', () => done('broken'))
      .end();
  });

const several = process.platform === 'linux' ? test : test.skip;
const timeout = 60_000;

several('the site service serves one port with as many processes as are set', { timeout }, async () => {
  await publishTexts(dataDir, { '/': 'The home page.' });
  const { port, pid, site } = await started(3);
  const processes = [pid, ...(await siblingsOf(pid))];
  expect(processes).toHaveLength(3);
  const busy = async () =>
    Promise.all(processes.map(async (one) => Number((await readFile(`/proc/${one}/schedstat`, 'utf8')).split(' ')[0])));
  const before = await busy();
  expect(await Promise.all(Array.from({ length: 300 }, () => read(port)))).toEqual(Array(300).fill(200));
  // Each has worked: the system has divided the connections among them.
  for (const [n, after] of (await busy()).entries()) expect(after - before[n]!).toBeGreaterThan(3_000_000);
  expect(site.output.split('the site service is listening')).toHaveLength(2);
});

several('a second site service on the same port ends with a message, and the first goes on', { timeout }, async () => {
  await publishTexts(dataDir, { '/': 'The home page.' });
  const { port } = await started(2);
  for (const processes of ['2', '1']) {
    const second = run({ PORT: String(port), SITE_PROCESSES: processes });
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(new RegExp(`^PORT is ${port}, but another program is using that port\\.`, 'm'));
  }
  expect(await read(port)).toBe(200);
});

several(
  'readers notice only broken connections when a process of the site service is killed',
  { timeout },
  async () => {
    await publishTexts(dataDir, { '/': 'The home page.' });
    const { port, pid, site } = await started(2);
    const [killed = 0] = await siblingsOf(pid);
    const answers = new Set<number | 'broken'>();
    let isOver = false;
    const reader = async () => {
      while (!isOver) answers.add(await read(port));
    };
    const readers = Promise.all(Array.from({ length: 8 }, reader));
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => {
      const [again = killed] = await siblingsOf(pid);
      expect(again).not.toBe(killed);
    }, longest);
    expect(site.output).toMatch(/A process of the site service stopped; restarting it in \d+ s\./);
    isOver = true;
    await readers;
    answers.delete('broken');
    expect([...answers]).toEqual([200]);
  },
);

several('stopping the site service ends all of its processes', { timeout }, async () => {
  const { child, ended, pid, port } = await started(2);
  const siblings = await siblingsOf(pid);
  expect(siblings).toHaveLength(1);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(siblings.filter(isRunning)).toEqual([]);
  expect(await read(port)).toBe('broken');
});

several('no process of the site service outlives a killed main process', { timeout }, async () => {
  const { child, pid, port } = await started(2);
  const siblings = await siblingsOf(pid);
  expect(siblings).toHaveLength(1);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(siblings.filter(isRunning)).toEqual([]), longest);
  expect(await read(port)).toBe('broken');
});

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { createLogger } from '#platform/logger.ts';
import { ensureVoterKey } from '#platform/secrets.ts';
import { makePolls } from '#ci/bench/make-polls.ts';
import { startApiServer } from '#api/server.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { deviceDigest, storedVotes } from '#api/testing/votes.ts';
import { slow } from '#api/testing/slow.ts';

let dataDir: string;
const cleanUps: (() => void)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'weathervane-shutdown-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts the API service with its command; resolves when it responds. */
async function startApi(url: string) {
  const port = await freePort();
  const script = fileURLToPath(new URL('api.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--no-publisher'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      API_PORT: String(port),
      RATE_LIMIT: 'off',
      VOTER_KEY: '',
    },
  });
  cleanUps.push(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code, signal]) => (code as number | null) ?? (signal as string));
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200), {
    timeout: 15_000,
    interval: 50,
  });
  return { child, port, ended };
}

/** Votes from new devices until no response comes; returns the result of each device. */
async function voteOn(agent: Agent, port: number, pollId: string, outcomes: Map<string, number | 'no answer'>) {
  for (;;) {
    const device = `device_${randomUUID().replaceAll('-', '')}`;
    const body = JSON.stringify({ optionId: 'option-1' });
    const outcome = await new Promise<number | 'no answer'>((told) => {
      const path = `/api/polls/${pollId}/vote`;
      const headers = { 'x-device-id': device, 'content-type': 'application/json', 'content-length': body.length };
      const call = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
        response.resume();
        response.on('end', () => told(response.statusCode ?? 0));
        response.on('error', () => told('no answer'));
      });
      call.on('error', () => told('no answer'));
      call.end(body);
    });
    outcomes.set(device, outcome);
    if (outcome === 'no answer') return;
  }
}

oneDatabase((open) => {
  test('a service stopped under load counts exactly the votes that it acknowledges', { timeout: 60_000 }, async () => {
    const { db, url } = await open();
    const [pollId = ''] = await makePolls(db, 1, 'open');
    const { child, port, ended } = await startApi(url);
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const outcomes = new Map<string, number | 'no answer'>();
    const voters = Array.from({ length: 40 }, () => voteOn(agent, port, pollId, outcomes));
    await vi.waitFor(() => expect(outcomes.size).toBeGreaterThan(300), { timeout: 20_000, interval: 5 });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await Promise.all(voters);
    agent.destroy();

    const voterKey = await ensureVoterKey({ dataDir, voterKey: null });
    const digests = (accepted: boolean) =>
      [...outcomes].filter(([, outcome]) => (outcome === 200) === accepted).map(([id]) => deviceDigest(id, voterKey));
    const counted = (await storedVotes(db)).map(({ device }) => device);
    expect(new Set(counted)).toEqual(new Set(digests(true)));
    expect(new Set(outcomes.values())).toEqual(new Set([200, 'no answer']));
    const ballot = await db('ballots').where({ id: pollId }).first<{ total_votes: number }>('total_votes');
    expect(ballot.total_votes).toBe(counted.length);
  });

  test('nothing that a service does in the background goes on, and fails, after it has closed its database', async () => {
    const { url } = await open();
    const API_PORT = String(await freePort());
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, API_PORT });
    const lines: string[] = [];
    const log = createLogger('api', { level: 'warn', json: true, destination: { write: (line) => lines.push(line) } });
    const service = await startApiServer({
      ...{ config, log, keys: ['a key of this test'], voterKey: 'a key of this test' },
      ...{ logKeys: ['33'.repeat(32)], witnessKey: '44'.repeat(32) },
      isAdminPassword: () => Promise.resolve(false),
    });
    await service.close();
    // Longer than between two checks for deleted polls.
    await pause(2_500);
    expect(lines).toEqual([]);
  });
});

test('a second signal stops the service immediately, even during a request', slow, async () => {
  const url = `sqlite:${join(dataDir, 'polls.sqlite')}`;
  const migrated = spawn(process.execPath, [fileURLToPath(new URL('migrate.ts', import.meta.url))], {
    stdio: 'ignore',
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: url },
  });
  await once(migrated, 'close');
  const { child, port, ended } = await startApi(url);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{';
  await new Promise<void>((sent) => socket.write(head, () => sent()));
  await fetch(`http://127.0.0.1:${port}/api/health`);
  const begun = performance.now();
  const again = setInterval(() => child.kill('SIGTERM'), 100);
  cleanUps.push(() => clearInterval(again));
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  expect(performance.now() - begun).toBeGreaterThan(500);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { pathOf } from '#domain/path-of.ts';
import { openDatabase } from '#platform/database.ts';
import { migratedPostgres } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { slow } from '#api/testing/slow.ts';
import { sendRequest, hasWebServer, webServers } from './web-servers.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Starts an API service like its unit and resolves when it is healthy. */
async function startApi(url: string, dataDir: string, port: number) {
  const script = fileURLToPath(new URL('../api/commands/api.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--no-publisher'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      RATE_LIMIT: 'off',
      API_PORT: String(port),
    },
  });
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  };
  cleanUps.push(stop);
  const isWell = async () => expect((await sendRequest(port, '/api/health')).status).toBe(200);
  await vi.waitFor(isWell, { timeout: 30_000, interval: 50 });
  return { stop };
}

if (!hasWebServer('nginx')) test.skip('nginx is not on this machine, so no service is restarted behind it');
else
  test(
    'every vote is accepted during a rolling restart of the API services',
    { ...slow, timeout: 120_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'weathervane-restart-'));
      cleanUps.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      const created = await migratedPostgres();
      const { url } = created;
      cleanUps.push(() => created.remove());
      const db = openDatabase(url);
      cleanUps.push(() => db.destroy());
      await seedPolls(db, [{ id: 'open', startsAt: Date.now() - 60_000, endsAt: Date.now() + 86_400_000 }]);
      const ports = [await freePort(), await freePort()] as const;
      const services = await Promise.all(ports.map((port) => startApi(url, folder, port)));
      const server = await webServers.nginx.start({
        folder: join(folder, 'nginx'),
        builds: join(folder, buildFiles.folder),
        sitePort: await freePort(),
        apiPorts: ports,
      });
      cleanUps.push(() => server.stop());

      let stopped = false;
      let answers = 0;
      const refused: string[] = [];
      const vote = async (voter: number) => {
        for (let n = 0; !stopped; n += 1) {
          const { status, body } = await sendRequest(server.port, pathOf('vote', { id: 'open' }), {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-device-id': `device_restarted${voter}x${n}` },
            body: Buffer.from('{"optionId":"o1"}'),
          });
          answers += 1;
          if (status !== 200) refused.push(`${status} ${body.toString()}`);
        }
      };
      const moreVotes = async () => {
        const before = answers;
        await vi.waitFor(() => expect(answers).toBeGreaterThan(before + 100), { timeout: 20_000 });
      };
      const voters = Promise.all(Array.from({ length: 8 }, (_, number) => vote(number)));
      await moreVotes();
      for (const [place, port] of ports.entries()) {
        await services[place]!.stop();
        await moreVotes();
        await startApi(url, folder, port);
        await moreVotes();
      }
      stopped = true;
      await voters;

      expect(refused).toEqual([]);
      const row = await db('ballots').where({ id: 'open' }).first<{ total_votes: number }>('total_votes');
      expect(row.total_votes).toBe(answers);
    },
  );

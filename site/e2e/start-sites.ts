import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { sites } from './sites.ts';

/**
 * Starts the site as a user would (`npm start` on an empty data folder, with demonstration data) and waits until the
 * home page answers; stops it after the tests.
 */
export default async function startSites(): Promise<() => Promise<void>> {
  const { main } = sites;
  await rm(main.dataDir, { recursive: true, force: true });
  await mkdir(main.dataDir, { recursive: true });
  const child = spawn('node', ['api/commands/start.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: '1',
      PORT: String(main.port),
      API_PORT: String(main.apiPort),
      PUBLIC_URL: main.origin,
      DATA_DIR: main.dataDir,
      DATABASE_URL: '',
      RATE_LIMIT: 'off',
      DEMO_DATA: 'on',
    },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));

  const until = Date.now() + 180_000;
  for (;;) {
    const ready = await fetch(main.origin).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null || Date.now() > until) throw new Error(`The site did not start:\n${said}`);
    await new Promise((later) => setTimeout(later, 250));
  }

  return async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
}

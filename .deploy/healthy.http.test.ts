import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Health } from '#api/health/health.contract.ts';

const script = fileURLToPath(new URL('healthy.ts', import.meta.url));
const quiet = { disk: null, publishedAt: null } as const;

/** The exit code of the health check for an API service with this response. */
async function codeFor(status: number, health: Health | string): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(health));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { ...process.env, API_PORT: String((server.address() as AddressInfo).port), NODE_ENV: 'test' };
  const child = execFile(process.execPath, [script, 'api'], { env });
  const [code] = (await once(child, 'close')) as [number];
  server.close();
  return code;
}

test('an API service with a full disk is ready, so that containers start and pages stay up', async () => {
  expect(await codeFor(200, { ...quiet, status: 'ok', database: 'ok' })).toBe(0);
  expect(await codeFor(503, { ...quiet, status: 'unavailable', database: 'read-only' })).toBe(0);
});

test('an API service that can’t read its database, or is shutting down, is not ready', async () => {
  expect(await codeFor(503, { ...quiet, status: 'unavailable', database: 'unavailable' })).toBe(1);
  expect(await codeFor(503, { ...quiet, status: 'ending', database: 'ok' })).toBe(1);
  expect(await codeFor(502, 'Bad Gateway')).toBe(1);
});

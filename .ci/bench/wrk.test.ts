import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { hasWrk, runWrk } from './wrk.ts';

test.runIf(hasWrk)('wrk requests all pages in turn and counts failures', async () => {
  const requested = new Map<string, number>();
  const server = createServer((request, response) => {
    const what = `${request.url} ${request.headers['accept-encoding']}`;
    requested.set(what, (requested.get(what) ?? 0) + 1);
    response.writeHead(request.url === '/missing' ? 404 : 200).end('x');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const load = { origin, connections: 2, seconds: 1 };
    const result = await runWrk({ ...load, paths: ['/a', '/b', '/missing'] });
    expect([...requested.keys()].sort()).toEqual(['/a gzip', '/b gzip', '/missing gzip']);
    expect(result.refused).toBeGreaterThan(0);
    expect(result.accepted / result.refused).toBeCloseTo(2, 0);
    expect(result.perSecond).toBeGreaterThan(result.accepted / 2);
    expect(result.p99).toBeGreaterThanOrEqual(result.p50);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

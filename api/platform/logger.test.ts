import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function lines(json: boolean) {
  const written: string[] = [];
  const log = createLogger('api', { json, destination: { write: (line) => void written.push(line) } });
  return { log, written };
}

test('in production each line is one JSON object', () => {
  const { log, written } = lines(true);
  log.info({ requestId: 'r-1', status: 201 }, 'POST /api/login 201 in 3 ms');
  expect(JSON.parse(written.join(''))).toMatchObject({
    ...{ level: 30, service: 'api', requestId: 'r-1', status: 201, msg: 'POST /api/login 201 in 3 ms' },
  });
});

test('in a terminal a line has the time, the service, and a message', () => {
  const { log, written } = lines(false);
  log.warn({ requestId: 'r-1', status: 503, ms: 3 }, 'GET /api/health 503 in 3 ms');
  expect(written.join('')).toMatch(
    /^\[?\d\d:\d\d:\d\d\]? WARN: api: GET \/api\/health 503 in 3 ms \{"requestId":"r-1"\}\n$/,
  );
});

test('properties that drivers add to an error, and secrets in its text, are not logged', () => {
  const { log, written } = lines(true);
  const cause = new Error('connect to postgres://site:hunter2@db/polls failed');
  const error = Object.assign(new Error('no row for device_0123456789abcdef', { cause }), {
    ...{ code: '23505', detail: 'Key (email)=(ann@example.org) already exists.', address: '203.0.113.7' },
  });
  log.error({ err: error, password: 'hunter2', request: { headers: { cookie: 'wv_session=abc' } } }, 'it failed');
  const line = written.join('');
  expect(JSON.parse(line)).toMatchObject({ err: { type: 'Error', code: '23505', message: 'no row for device_…' } });
  for (const secret of ['hunter2', '0123456789abcdef', 'ann@example.org', '203.0.113.7', 'wv_session'])
    expect(line).not.toContain(secret);
});

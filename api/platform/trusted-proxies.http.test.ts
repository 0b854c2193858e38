import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { startTestApp } from '#api/testing/test-app.ts';

oneDatabase((open) => {
  test.each([
    [['Host: x'], '200'],
    [['Host: x', 'host: y'], '400'],
    [['HOST: x', 'Host: x'], '400'],
  ])('the API answers a request with the headers %j with %s', async (hosts, status) => {
    const { db } = await open();
    const app = await startTestApp(db);
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
    socket.write(['GET /api/statistics HTTP/1.1', ...hosts, 'Connection: close', '', ''].join('\r\n'));
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

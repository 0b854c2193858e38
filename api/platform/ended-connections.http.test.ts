import { connect } from 'node:net';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { routes } from '#api/routes.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import { headerText } from '#site/client/api.ts';

const part =
  '--x\r\nContent-Disposition: form-data; name="csvFile"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nid,';
const form = { type: 'multipart/form-data; boundary=x', body: part };
const picture = { type: 'image/png', body: '\x89PNG\r\n\x1a\n' };
const json = { type: 'application/json', body: '{"email":"' };

/** Requests with a body, of every way in which bodies are read. */
const requests = {
  bulkUpload: form,
  importPreview: form,
  rejectedRows: form,
  uploadPicture: picture,
  uploadContentImage: picture,
  register: json,
} as const;

oneDatabase((open) => {
  test('a client that disconnects during an upload or a download is no error of the service or its database', async () => {
    const { db } = await open();
    const lines: { level: number; msg: string; call?: string }[] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
    const app = await startTestApp(db, { log });
    const member = await registered(app, 'anna');
    const port = Number(new URL(app.origin).port);
    const send = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((sent) => socket.write(text, 'latin1', sent));
      return socket;
    };
    const headers = `Host: x\r\nX-Admin-Password: ${headerText(testAdminPassword)}\r\nCookie: ${[...member.cookies]
      .map((pair) => pair.join('='))
      .join('; ')}\r\n`;

    for (const [call, { type, body }] of Object.entries(requests)) {
      const { method, path } = routes[call as keyof typeof requests];
      lines.length = 0;
      const head = `${method} ${path} HTTP/1.1\r\n${headers}Content-Type: ${type}\r\nContent-Length: 50000\r\n\r\n`;
      (await send(head + body)).destroy();
      await expect.poll(() => lines.filter((line) => line.call === call)).toHaveLength(1);
      expect(lines.filter(({ level }) => level >= 40).map(({ msg }) => `${call}: ${msg}`)).toEqual([]);
    }

    // More than fits into the buffers of a connection.
    await seedPolls(
      db,
      Array.from({ length: 200 }, (_, number) => ({ id: `p${number}`, summary: 'What? '.repeat(10_000) })),
    );
    lines.length = 0;
    const path = pathOf('exportPolls', { file: 'polls.json' });
    const socket = await send(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('a client ended its connection');
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });
});

import { waitingPages } from '#api/testing/changes.ts';
import { auditLog } from '#api/testing/operators.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ImportPreview } from '#api/polls/import/import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ImportResult } from '#api/polls/import/poll-import.contract.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { headerText } from '#site/client/api.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const fixture = (name: string) => readFile(new URL(`../polls/import/fixtures/${name}.csv`, import.meta.url));

let app: TestApp;
let dataDir: string;

async function start(db: Database, rateLimit = false): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-upload-'));
  app = await startTestApp(db, { config: { dataDir, rateLimit } });
}

afterEach(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Upload {
  readonly name?: string;
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly header?: string;
  /** After the file, as some forms send it. */
  readonly passwordLast?: boolean;
}

async function upload(
  file: Buffer | null,
  { name = 'polls.csv', query = '', fields = { password: testAdminPassword }, header, passwordLast }: Upload = {},
): Promise<{ status: number; body: ImportResult & { code?: string } }> {
  const form = new FormData();
  const add = () => {
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
  };
  if (passwordLast !== true) add();
  if (file) form.set('csvFile', new File([new Uint8Array(file)], name, { type: 'text/csv' }));
  if (passwordLast === true) add();
  const response = await app.fetch(`/api/polls/bulk-upload${query}`, {
    method: 'POST',
    body: form,
    ...(header !== undefined && { headers: { 'x-admin-password': headerText(header) } }),
  });
  return { status: response.status, body: (await response.json()) as ImportResult };
}

const leftBehind = async () => (existsSync(join(dataDir, 'uploads')) ? readdir(join(dataDir, 'uploads')) : []);
const polls = (db: Database) => db('polls').orderBy('id').pluck('id');

eachDatabase((open, _engine, once) => {
  describe('an upload', () => {
    test('[S1.3 S7.25 D9.14] imports its polls, records that their pages changed, and leaves no file behind', async () => {
      const { db } = await open();
      await start(db);
      expect(await upload(await fixture('three-polls'))).toEqual({
        status: 200,
        body: {
          message: 'Imported 3 polls: 3 new, 0 updated, 0 unchanged.',
          ...{ imported: 3, inserted: 3, updated: 0, unchanged: 0, rejected: 0 },
          ...{ errors: [], groups: [], warnings: [] },
        },
      });
      expect(await waitingPages(db).where({ kind: 'poll', queue: 'publish-many' })).toHaveLength(3);
      expect(await auditLog(db).select('actor', 'action', 'kind')).toEqual([
        { actor: 'operator', action: 'import.run', kind: 'import' },
      ]);
      expect((await upload(await fixture('three-polls'))).body).toMatchObject({ imported: 0, unchanged: 3 });
      expect(await leftBehind()).toEqual([]);
      await expectExactCounters(db);
    });

    once('[S6.5 S7.25] accepts the password before the file, after it, or in the header', async () => {
      const { db } = await open();
      await start(db);
      const file = await fixture('three-polls');
      expect((await upload(file, { passwordLast: true })).status).toBe(200);
      expect((await upload(file, { fields: {}, header: testAdminPassword })).status).toBe(200);
      expect((await upload(file, { fields: {} })).body.code).toBe('ADMIN_REQUIRED');
      expect((await upload(file, { fields: { password: 'guess' } })).status).toBe(401);
      expect((await upload(file, { header: 'guess' })).status).toBe(401);
      expect(await leftBehind()).toEqual([]);
    });

    once(
      '[D9.1] with a wrong password changes nothing, and the sixth in a minute is refused even with the right one',
      async () => {
        const { db } = await open();
        await start(db, true);
        const file = await fixture('three-polls');
        for (let n = 0; n < 5; n += 1)
          expect((await upload(file, { fields: { password: `guess ${n}` }, passwordLast: true })).status).toBe(401);
        expect((await upload(file)).status).toBe(429);
        expect(await polls(db)).toEqual([]);
      },
    );

    once('[D9.11] reports in a dry run what would happen and changes nothing', async () => {
      const { db } = await open();
      await start(db);
      const file = await fixture('three-polls');
      const password = testAdminPassword;
      for (const how of [{ query: '?dryRun=true' }, { fields: { password, dryRun: 'true' } }]) {
        const { status, body } = await upload(file, how);
        expect([status, body.inserted]).toEqual([200, 3]);
        expect(body.message).toMatch(/^Dry run: nothing was changed/);
      }
      expect(await polls(db)).toEqual([]);
      expect(await waitingPages(db)).toEqual([]);
    });

    once('[D9.9] reports invalid rows by line, column, value, and reason, and imports the others', async () => {
      const { db } = await open();
      await start(db);
      const { status, body } = await upload(await fixture('mixed'));
      expect([status, body.imported, body.rejected]).toEqual([200, 3, 3]);
      expect(body.errors[0]).toEqual({
        ...{ line: 3, column: 'options', value: 'Yes or no', code: 'invalid_json' },
        reason: expect.stringMatching(/^This is neither a JSON list nor/) as string,
      });
      expect(await polls(db)).toHaveLength(3);
    });

    once('[D9.10] imports nothing of a file with invalid rows in all-or-nothing mode', async () => {
      const { db } = await open();
      await start(db);
      const { status, body } = await upload(await fixture('mixed'), { query: '?mode=all-or-nothing' });
      expect([status, body.imported, body.rejected]).toEqual([200, 0, 3]);
      expect(await polls(db)).toEqual([]);
    });

    once('[S7.25] of a file that is refused as a whole is an error with the reason', async () => {
      const { db } = await open();
      await start(db);
      const named = await upload(await fixture('three-polls'), { name: 'polls.txt' });
      expect(named).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', imported: 0 } });
      expect(named.body.errors).toMatchObject([{ code: 'wrong_extension', value: 'polls.txt' }]);
      expect(named.body.message).toContain('Please select a CSV file.');
      expect((await upload(await fixture('three-polls'), { name: 'POLLS.CSV' })).status).toBe(200);
      for (const [file, code] of [
        ['semicolons', 'wrong_separator'],
        ['wrong-byte-at-the-end', 'encoding'],
      ] as const)
        expect((await upload(await fixture(file))).body.errors).toMatchObject([{ code }]);
      expect((await upload(Buffer.alloc(0))).body.errors).toMatchObject([{ code: 'empty_file' }]);
      expect(await leftBehind()).toEqual([]);
    });

    once('names missing and surplus parts of the form', async () => {
      const { db } = await open();
      await start(db);
      const file = await fixture('three-polls');
      expect((await upload(null)).body).toMatchObject({ code: 'BAD_REQUEST', message: 'Please select a CSV file.' });
      const password = testAdminPassword;
      // An unknown value must not turn a dry run into an import.
      const misunderstood: Record<string, string>[] = [{ dry_run: 'true' }, { mode: 'none' }, { dryRun: 'maybe' }];
      for (const field of misunderstood)
        expect((await upload(file, { fields: { password, ...field } })).body.code).toBe('VALIDATION_FAILED');
      const two = new FormData();
      two.set('password', password);
      two.append('csvFile', new File([new Uint8Array(file)], 'a.csv'));
      two.append('csvFile', new File([new Uint8Array(file)], 'b.csv'));
      const answer = await app.fetch('/api/polls/bulk-upload', { method: 'POST', body: two });
      expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'One file at a time, please.' }]);
      const json = await app.fetch('/api/polls/bulk-upload', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-admin-password': headerText(password) },
        body: '{}',
      });
      expect(json.status).toBe(415);
      const broken = await app.fetch('/api/polls/bulk-upload', {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-admin-password': headerText(password) },
        body: '--x\r\nContent-Disposition: form-data; name="csvFile"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nid,',
      });
      expect(broken.status).toBe(400);
      expect(await polls(db)).toEqual([]);
      expect(await leftBehind()).toEqual([]);
    });

    once('[D9.6 D10.5] that is too large is refused before and while it is read', async () => {
      const { db } = await open();
      await start(db);
      const large = Buffer.alloc(limits.importBytes + 1, 'x');
      const { status, body } = await upload(large);
      expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(body.message).toContain('20 MB');
      const announced = await answerTo('Content-Length: 99999999\r\n', '');
      expect(announced).toMatch(/^HTTP\/1\.1 413 /);
      expect(await leftBehind()).toEqual([]);
    });

    once('that is refused gets its response after the whole body is sent, so the client reads it', async () => {
      const { db } = await open();
      await start(db);
      const large = Buffer.alloc(2 * limits.importBytes, 'x');
      for (const [header, status] of [
        ['guess', 401],
        [testAdminPassword, 413],
      ] as const)
        expect((await upload(large, { header })).status).toBe(status);
    });

    once('that is interrupted leaves nothing behind', async () => {
      const { db } = await open();
      await start(db);
      const head =
        '--x\r\nContent-Disposition: form-data; name="csvFile"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
      const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
      socket.write(request(`Content-Length: 5000000\r\n`) + head + randomBytes(100_000).toString('hex'), 'latin1');
      await new Promise((connected) => socket.once('connect', connected));
      await expect.poll(() => existsSync(join(dataDir, 'uploads'))).toBe(true);
      socket.destroy();
      expect((await upload(await fixture('three-polls'))).status).toBe(200);
      expect(await leftBehind()).toEqual([]);
    });
  });

  describe('a file that is looked at before it is imported', () => {
    const form = (content: Buffer, fields: Readonly<Record<string, string>> = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set('csvFile', new File([new Uint8Array(content)], 'polls.csv', { type: 'text/csv' }));
      return body;
    };
    const send = (path: string, body: FormData, password = testAdminPassword) =>
      app.fetch(path, { method: 'POST', body, headers: { 'x-admin-password': headerText(password) } });

    once(
      'is previewed, and its rejected rows are downloaded; nothing is stored, and no file is left behind',
      async () => {
        const { db } = await open();
        await start(db);
        const preview = await send('/api/admin/imports/preview', form(await fixture('semicolons')));
        expect(preview.status).toBe(200);
        const { settings, missing } = (await preview.json()) as ImportPreview;
        expect([settings.delimiter, missing]).toEqual([';', []]);
        const rejected = await send('/api/admin/imports/rejected-rows', form(await fixture('mixed')));
        expect(rejected.headers.get('content-disposition')).toBe('attachment; filename="rejected-rows.csv"');
        expect((await rejected.text()).trim().split('\r\n')).toHaveLength(4);
        expect(await polls(db)).toEqual([]);
        await vi.waitFor(async () => expect(await leftBehind()).toEqual([]), { timeout: 20_000 });
        const imported = await upload(await fixture('semicolons'), {
          fields: { password: testAdminPassword, settings: JSON.stringify(settings) },
        });
        expect(imported).toMatchObject({ status: 200, body: { rejected: 0 } });
        expect(imported.body.inserted).toBeGreaterThan(0);
      },
    );

    once('needs the password and settings that make sense', async () => {
      const { db } = await open();
      await start(db);
      const file = await fixture('semicolons');
      expect((await send('/api/admin/imports/preview', form(file), 'wrong')).status).toBe(401);
      const wrong: readonly Record<string, string>[] = [
        { settings: '{' },
        { settings: '{"delimiter":"x"}' },
        { settings: '{"delimiter":";","columns":[],"dateFormat":"iso","timeZone":"Mars/Olympus"}' },
        { unknown: 'x' },
      ];
      for (const fields of wrong)
        expect((await send('/api/admin/imports/preview', form(file, fields))).status, JSON.stringify(fields)).toBe(400);
      const empty = await send('/api/admin/imports/rejected-rows', form(Buffer.from('')));
      expect([empty.status, ((await empty.json()) as ImportResult).errors[0]?.code]).toEqual([400, 'empty_file']);
      expect(await leftBehind()).toEqual([]);
    });

    once('at an address is fetched only from the public internet', async () => {
      const { db } = await open();
      await start(db);
      const response = await app.fetch('/api/admin/imports/spreadsheet', {
        method: 'POST',
        body: JSON.stringify({ url: 'http://127.0.0.1:1/sheet.csv' }),
        headers: { 'x-admin-password': headerText(testAdminPassword), 'content-type': 'application/json' },
      });
      expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
        400,
        'This address isn’t on the public internet.',
      ]);
      expect(await leftBehind()).toEqual([]);
    });
  });
});

const request = (headers: string) =>
  `POST /api/polls/bulk-upload HTTP/1.1\r\nHost: x\r\nX-Admin-Password: ${headerText(testAdminPassword)}\r\nContent-Type: multipart/form-data; boundary=x\r\n${headers}\r\n`;

/** The response of the API to these bytes. */
function answerTo(headers: string, body: string): Promise<string> {
  return new Promise((answered, failed) => {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', failed);
    socket.on('data', () => {
      if (text.includes('\r\n\r\n')) {
        socket.destroy();
        answered(text);
      }
    });
    socket.write(request(headers) + body, 'latin1');
  });
}

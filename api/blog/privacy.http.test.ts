import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';

const policy = readFileSync('content/legal/privacy.md', 'utf8');

eachDatabase((open) => {
  test('the service sets the cookies of the Privacy Policy and no others, for as long as it says', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    await seedPolls(db, [{ id: 'p' }]);
    const lines: string[] = [];
    const call = async (path: string, init?: RequestInit) => {
      const response = await app.fetch(path, init);
      lines.push(...response.headers.getSetCookie());
      return response;
    };
    const json = { 'content-type': 'application/json' };
    const device = { ...json, 'x-device-id': visitor(app).device };
    await call('/api/polls/active');
    await call('/api/polls/p/vote', { method: 'POST', headers: device, body: '{"optionId":"o1"}' });
    const account = JSON.stringify({ username: 'anna', password: testPassword });
    expect((await call('/api/register', { method: 'POST', headers: json, body: account })).status).toBe(201);
    await call('/api/login', { method: 'POST', headers: json, body: account });

    expect(policy).toContain('`wv_voter` and `wv_session` cannot be read by scripts');
    const set = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line]));
    expect([...set.keys()].sort()).toEqual(['wv_account', 'wv_session', 'wv_session.sig', 'wv_voter']);
    for (const [name, line] of set) {
      const row = policy.split('\n').find((text) => text.startsWith('|') && text.includes(`\`${name}\``)) ?? '';
      const told = Number(/(\d+) days/.exec(row)?.[1]);
      expect([name, daysOf(line)]).toEqual([name, told]);
      expect([name, /; *httponly/i.test(line)]).toEqual([name, name !== 'wv_account']);
    }
    await app.close();
  });

  test('a vote is stored with what the Privacy Policy lists, and nothing else', async () => {
    const { db } = await open();
    // Its number, and whether badges have taken notice of it.
    const bookkeeping = ['id', 'noted'];
    const columns = Object.keys(await db('votes').columnInfo()).filter((name) => !bookkeeping.includes(name));
    expect(columns.sort()).toEqual([
      ...['ballot_id', 'created_at', 'option_id', 'user_id', 'voter_cookie', 'voter_fingerprint'],
    ]);
  });

  test('nowhere is a device id, an address or a description of a device stored in clear', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    await seedPolls(db, [{ id: 'p' }]);
    const anna = await registered(app, 'anna');
    const headers = { 'user-agent': 'a-browser-of-its-own/1.0', 'x-forwarded-for': '203.0.113.77' };
    const vote = { method: 'POST', headers, json: { optionId: 'o1' } };
    expect((await anna.fetch('/api/polls/p/vote', vote)).status).toBe(200);
    for (const table of await tables()) {
      const stored = JSON.stringify(await db(table).select('*'));
      for (const secret of [anna.device, 'a-browser-of-its-own', '203.0.113.77', '127.0.0.1', testPassword])
        expect([table, secret, stored.includes(secret)]).toEqual([table, secret, false]);
    }
    await app.close();

    async function tables(): Promise<string[]> {
      const sqlite = db.client.config.client === 'sqlite3';
      const query = sqlite
        ? db('sqlite_master').where({ type: 'table' }).whereNot('name', 'like', 'sqlite%').pluck<string[]>('name')
        : db('information_schema.tables').where({ table_schema: 'public' }).pluck<string[]>('table_name');
      return await query;
    }
  });
});

/** How long a cookie lasts, in whole days. */
function daysOf(line: string): number {
  const age = /max-age=(\d+)/i.exec(line)?.[1];
  const expires = /expires=([^;]+)/i.exec(line)?.[1];
  const milliseconds = age === undefined ? Date.parse(expires ?? '') - Date.now() : Number(age) * 1_000;
  return Math.round(milliseconds / 86_400_000);
}

import { readFileSync } from 'node:fs';
import { fillFacts } from './facts.service.ts';
import { expect, test } from 'vitest';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { isSqlite } from '#platform/database.ts';
import { storedVotes } from '#api/testing/votes.ts';

const policy = fillFacts(readFileSync('content/legal/privacy.md', 'utf8'));

oneDatabase((open) => {
  test('the service sets only the cookies of the Privacy Policy, with the lifetimes stated there', async () => {
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

    expect(policy).toContain('Only `wv_account` can be read by scripts');
    const set = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line]));
    expect([...set.keys()].sort()).toEqual(['wv_account', 'wv_known', 'wv_session', 'wv_session.sig', 'wv_voter']);
    for (const [name, line] of set) {
      const row = policy.split('\n').find((text) => text.startsWith('|') && text.includes(`\`${name}\``)) ?? '';
      const stated = Number(/(\d+) days/.exec(row)?.[1]);
      expect([name, daysOf(line)]).toEqual([name, stated]);
      expect([name, /; *httponly/i.test(line)]).toEqual([name, name !== 'wv_account']);
    }
    await app.close();
  });

  test('[S3.7] a vote is stored with what the Privacy Policy lists, and nothing else', async () => {
    const { db } = await open();
    // Its number is not about the vote.
    const columns = Object.keys(await db('votes').columnInfo()).filter((name) => name !== 'id');
    const section = policy.slice(policy.indexOf('For each vote we store:'), policy.indexOf('We do not store an IP'));
    const stated = [...section.matchAll(/^- (.+)$/gm)].map(([, item]) => item);
    expect(stated).toEqual([
      'the poll and the chosen answer, or answers where a poll allows several;',
      'the minute, of which only the day (UTC) is kept from 30 days after the poll has ended;',
      'the fingerprint;',
      expect.stringContaining('a digest of the voter cookie, made in the same way'),
      expect.stringContaining('the account, if you were signed in.'),
      'by which decision it was held or set aside, if it was;',
      // Its option, which has the text.
      expect.stringContaining('the answer that you write yourself'),
      // Parts of `traits`.
      expect.stringContaining('whether your browser had shown you the results before'),
      expect.stringContaining('whether you voted with a code that a screen showed in a room'),
      // These four are `network` and three parts of `traits`.
      expect.stringContaining('a digest of the network the vote came from (an IPv4 address or an IPv6 /48)'),
      expect.stringContaining('the age of the account in one of four steps'),
      expect.stringContaining('whether your browser sent a voter cookie'),
      expect.stringContaining('whether your browser solved a computing task'),
    ]);
    expect(columns.sort()).toEqual([
      ...[
        'ballot_key',
        'cookie',
        'created_at',
        'decision_key',
        'device',
        'further_options',
        'network',
        'nonce',
        'option_key',
        'traits',
        'user_id',
      ],
    ]);
  });

  test('[S1.2 D2.19] no answer to others reveals who voted, when, with which browser, or for what', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    await seedPolls(db, [{ id: 'p' }]);
    const [anna, ben] = [await registered(app, 'quincunx', { firstName: 'Quincunx' }), await registered(app, 'ben')];
    const { id } = await made(ben);
    // Their badges are from before.
    for (const one of [anna, ben]) await ask(one, '/api/user/summary');
    app.clock.set(Date.parse('2026-11-20T12:34:56.789Z'));
    expect((await ask(anna, '/api/polls/p/vote', 'POST', { optionId: 'o2' })).status).toBe(200);
    expect((await castVote(anna, id, 'option-2')).status).toBe(200);
    app.clock.set(Date.parse('2026-11-20T12:40:00.000Z'));
    await castVote(ben, id, 'option-1');
    const [marks] = (await storedVotes(db)).filter((vote) => vote.user_id === anna.user.id);
    const secrets = ['uincunx', anna.user.id, anna.device, marks?.device ?? '', marks?.cookie ?? '', '12:34', '56789'];
    const polls = ['active', 'p', 'historical/paginated', 'related/General/x'].map((path) => `/api/polls/${path}`);
    const community = ['', '/featured', `/${id}`, `/${id}/comments`, `/${id}/vote/status?fingerprint=${ben.device}`];
    const own = ['profile', 'summary', 'activities', 'activity-days', 'badges', 'export'].map(
      (path) => `/api/user/${path}`,
    );
    for (const by of [visitor(app), ben])
      for (const path of [
        '/api/statistics',
        ...polls,
        ...community.map((rest) => `/api/community-polls${rest}`),
        ...own,
      ]) {
        const { status, body, headers } = await ask<unknown>(by, path);
        expect([path, status]).toEqual([path, own.includes(path) && by !== ben ? 401 : 200]);
        for (const secret of secrets)
          expect([path, secret, JSON.stringify([body, [...headers]]).includes(secret)]).toEqual([path, secret, false]);
      }
    await app.close();
  });

  test('no device id, address, or device description is stored in plain text', async () => {
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
      const sqlite = isSqlite(db);
      const query = sqlite
        ? db('sqlite_master').where({ type: 'table' }).whereNot('name', 'like', 'sqlite%').pluck<string[]>('name')
        : db('information_schema.tables').where({ table_schema: 'public' }).pluck<string[]>('table_name');
      return await query;
    }
  });
});

/** Lifetime of a cookie in whole days. */
function daysOf(line: string): number {
  const age = /max-age=(\d+)/i.exec(line)?.[1];
  const expires = /expires=([^;]+)/i.exec(line)?.[1];
  const milliseconds = age === undefined ? Date.parse(expires ?? '') - Date.now() : Number(age) * 1_000;
  return Math.round(milliseconds / 86_400_000);
}

import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';

oneDatabase((open) => {
  test('[D2.3 D5.10] no password, hash, session, device id, or address reaches the log, not even when the database fails', async () => {
    const { db } = await open();
    let lines = '';
    const log = pino(
      { level: 'trace' },
      new Writable({
        write(line: Buffer, _, done) {
          lines += line.toString();
          done();
        },
      }),
    );
    const app = await startTestApp(db, { log });
    const anna = await registered(app, 'anna', { email: 'anna@example.org', password: testPassword });
    const [hash] = await db('users').pluck('password');
    const [sid] = await db('sessions').pluck('sid');

    await db.raw('alter table sessions rename to elsewhere');
    const post = async (path: string, json: object, browser = visitor(app)) =>
      (await browser.fetch(path, { method: 'POST', json })).status;
    expect((await anna.fetch('/api/user')).status).toBe(500);
    expect(await post('/api/login', { username: 'anna@example.org', password: testPassword })).toBe(500);
    await db.raw('alter table users drop column updated_at');
    expect(
      await post('/api/register', { username: 'ben', email: 'ben@example.org', password: `${testPassword} of Ben` }),
    ).toBe(500);

    expect(lines.split('\n').filter((line) => line.includes('a request failed'))).toHaveLength(3);
    for (const secret of [testPassword, 'argon2id', hash, sid, ...anna.cookies.values(), 'example.org', anna.device])
      if (secret !== '1') expect(lines).not.toContain(secret);
    await app.close();
  });
});

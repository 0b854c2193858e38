import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { errorTexts, unavailableTexts } from '#texts/errors.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { made } from '#api/testing/community-polls.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { freePort } from '#api/testing/postgres.setup.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';

const vote = (app: TestApp) => visitor(app).fetch('/api/polls/p/vote', { method: 'POST', json: { optionId: 'o1' } });

async function refusal(response: Response) {
  const { message, code } = (await response.json()) as { message: string; code: string };
  return { status: response.status, again: response.headers.get('retry-after'), code, message };
}

test('while the database does not respond, requests are refused with 503, and this is logged once', async () => {
  const db = openDatabase(`postgres://nobody:secret@127.0.0.1:${await freePort()}/none`);
  const lines: string[] = [];
  const app = await startTestApp(db, {
    log: createLogger('api', { destination: { write: (line: string) => void lines.push(line) } }),
  });
  try {
    const away = { status: 503, again: '5', code: 'UNAVAILABLE', message: errorTexts.UNAVAILABLE };
    expect(await refusal(await app.fetch('/api/statistics'))).toEqual(away);
    expect(await refusal(await app.fetch('/api/polls/active'))).toEqual(away);
    expect(lines.filter((line) => line.includes('the database is not responding'))).toHaveLength(1);
    expect(lines.join('')).not.toContain('secret');
  } finally {
    await app.close();
    await db.destroy();
  }
});

test('a connection to a database that went silent is closed, and waiting requests are refused', slow, async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const { port } = silent.address() as AddressInfo;
  const db = openDatabase(`postgres://nobody:secret@127.0.0.1:${port}/none`, {
    timeouts: { acquireMs: 300, queryMs: 1_000 },
  });
  const app = await startTestApp(db);
  try {
    expect(await refusal(await app.fetch('/api/statistics'))).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  } finally {
    await app.close();
    await db.destroy();
    silent.close();
  }
});

eachDatabase((open, engine) => {
  if (engine === 'PostgreSQL')
    test('a query without a response ends its connection, and the next query gets a new one', async () => {
      const { url } = await open();
      const db = openDatabase(url, { timeouts: { acquireMs: 5_000, queryMs: 1_000 } });
      try {
        await expect(db.raw('select pg_sleep(20)')).rejects.toThrow();
        const { rows } = await db.raw<{ rows: { n: number }[] }>('select 1 as n');
        expect(rows).toEqual([{ n: 1 }]);
      } finally {
        await db.destroy();
      }
    });

  if (engine === 'SQLite')
    test('votes are refused while the disk is full, and accepted again when there is space', slow, async () => {
      const { db } = await open();
      await seedPolls(db, [{ id: 'p' }]);
      // Migrations leave pages to fill.
      await db.raw('vacuum');
      const lift = fillUp(db);
      const app = await startTestApp(db);
      try {
        const noRoom = { status: 503, again: '5', code: 'UNAVAILABLE', message: unavailableTexts.noRoom };
        const answers = await Promise.all(Array.from({ length: 200 }, () => vote(app)));
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused.length).toBeGreaterThan(0);
        for (const answer of refused) expect(await refusal(answer)).toEqual(noRoom);
        expect((await app.fetch('/api/polls/active')).status).toBe(200);
        lift();
        expect((await vote(app)).status).toBe(200);
        expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 201 - refused.length });
      } finally {
        await app.close();
      }
    });

  if (engine === 'SQLite')
    test('comments are refused with 503 while the disk is full', async () => {
      const { db } = await open();
      const app = await startTestApp(db);
      try {
        const member = await registered(app, 'ann');
        const poll = await made(member);
        await db.raw('pragma max_page_count = 1');
        const comment = { json: { content: 'A long comment. '.repeat(30) }, method: 'POST' };
        let response: Response;
        do response = await member.fetch(`/api/community-polls/${poll.id}/comments`, comment);
        while (response.status === 201);
        const noRoom = { status: 503, again: '5', code: 'UNAVAILABLE', message: unavailableTexts.noRoom };
        expect(await refusal(response)).toEqual(noRoom);
      } finally {
        await app.close();
      }
    });
});

/** Prevents the file from growing for new connections, which SQLite reports as a full disk; returns a function that undoes it. */
function fillUp(db: Database): () => void {
  type AfterCreate = (
    connection: { exec(sql: string, done: (error: Error | null) => void): void },
    done: (error: Error | null) => void,
  ) => void;
  const { pool } = (db.client as { config: { pool: { afterCreate: AfterCreate } } }).config;
  const before = pool.afterCreate;
  pool.afterCreate = (connection, done) =>
    before(connection, (error) => {
      if (error) done(error);
      else connection.exec('pragma max_page_count = 1', done);
    });
  return () => (pool.afterCreate = before);
}

import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { Comment } from './comments.contract.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { runsSlow, slow } from '#api/testing/slow.ts';
import { expectExactCommentCounts, seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { canBeSeen } from '#api/testing/hostile-values.ts';
import { commentIds } from './comment.model.ts';
import { commentsPage } from './comments.queries.ts';

const many = 10_000;
const hiddenEvery = 97;

/** Stores comments, some within one millisecond, some hidden; returns the contents of the visible ones, newest first. */
async function seedComments(db: Database, pollId: string): Promise<string[]> {
  const newId = commentIds();
  const rows = Array.from({ length: many }, (_, n) => {
    const at = testNow - 1_000_000 + Math.floor(n / 3);
    const row = { id: newId(at), poll_id: pollId, user_id: `writer-${n % 7}`, content: `Comment ${n}` };
    return { ...row, hidden: n % hiddenEvery === 0, created_at: at, updated_at: at };
  });
  for (let n = 0; n < 7; n++) await seedMember(db, `writer-${n}`);
  await db.batchInsert('comments', rows, 100);
  const shown = rows.filter(({ hidden }) => !hidden);
  await db('community_polls').where({ id: pollId }).update({ comment_count: shown.length });
  return shown.map(({ id }) => id).reverse();
}

/** The query plan for a page. */
async function planOf(db: Database, query: () => Promise<unknown>): Promise<string> {
  const asked: { sql: string; bindings: readonly (string | number)[] }[] = [];
  const listen = (query: (typeof asked)[number]) => asked.push(query);
  db.on('query', listen);
  await query();
  db.removeListener('query', listen);
  const { sql, bindings } = asked[0]!;
  const plan: unknown = await db.raw(`explain ${isSqlite(db) ? 'query plan ' : ''}${sql.replace(/\$\d+/g, '?')}`, [
    ...bindings,
  ]);
  return JSON.stringify(isSqlite(db) ? plan : (plan as { rows: unknown }).rows);
}

/** Difficult strings: the Big List of Naughty Strings if it is installed, otherwise a few of our own. */
const listFile = new URL('../../../shared/data/naughty-strings.json', import.meta.url);
const listExists = existsSync(listFile);
const ownStrings = [
  "<script>alert(1)</script>'; drop table comments; --",
  '{{7*7}} ${7*7} %s %00 \\u0000 \\',
  '\u202eabc\u202c \u200b\ufeff\u0001\u001b[31m',
  '👩🏽‍🚀 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ 部落格 الكل في المجمو عة',
  'first\r\nsecond\n\n\tthird',
];

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  const start = async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    await seedDiscussedPoll(db, { id: 'parks', createdBy: anna.user.id });
    return { db, app, anna };
  };

  test('ten thousand comments are read page by page, each once, while others post and delete', slow, async () => {
    const { db, app, anna } = await start();
    const expected = await seedComments(db, 'parks');
    const reader = visitor(app);
    const read: string[] = [];
    for (let turn = 0; ; turn++) {
      const before = read.length > 0 ? `?before=${read.at(-1)}` : '';
      const page = (await (await reader.fetch(`/api/community-polls/parks/comments${before}`)).json()) as Comment[];
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(50);
      read.push(...page.map(({ id }) => id));
      if (turn % 20 > 0) continue;
      app.clock.set(testNow + turn);
      await anna.fetch('/api/community-polls/parks/comments', { method: 'POST', json: { content: `Turn ${turn}` } });
      // The comment before the next page has been deleted by then.
      await anna.fetch(`/api/community-polls/parks/comments/${read.at(-1)}`, { method: 'DELETE' });
    }
    expect(read).toEqual(expected);
    await expectExactCommentCounts(db);
  });

  test('the first page and later pages are read from the index', async () => {
    const { db } = await start();
    const ids = await seedComments(db, 'parks');
    await db.raw('analyze');
    for (const before of [null, { id: ids[5_000]!, createdAt: testNow - 999_000 }]) {
      const plan = await planOf(db, () => commentsPage(db, 'parks', { limit: 50, before }));
      expect(plan).toContain('comments_of_poll');
      expect(plan).not.toMatch(/SCAN comments|Seq Scan on comments/);
    }
  });

  once('a page has the requested length, and a malformed comment id is refused', async () => {
    const { db, app } = await start();
    const [first, second] = await seedComments(db, 'parks');
    const ask = (query: string) => app.fetch(`/api/community-polls/parks/comments?${query}`);
    const [comment, ...none] = (await (await ask(`limit=1&before=${first}`)).json()) as Comment[];
    expect([comment?.id, none]).toEqual([second, []]);
    for (const [query, field] of [
      ['limit=51', 'limit'],
      ['limit=0', 'limit'],
      ['before=yesterday', 'before'],
      ['before=%00', 'before'],
      ['page=2', 'page'],
    ] as const) {
      const response = await ask(query);
      expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ field }] }]);
    }
  });

  test(`difficult strings are returned unchanged (${listExists ? 'the long list' : 'some of our own'})`, async () => {
    const { app, anna } = await start();
    const list = listExists ? (JSON.parse(readFileSync(listFile, 'utf8')) as string[]) : ownStrings;
    const strings = runsSlow || !listExists ? list : list.filter((_, index) => index % 5 === 0);
    const kept: string[] = [];
    for (const content of strings) {
      const response = await anna.fetch('/api/community-polls/parks/comments', { method: 'POST', json: { content } });
      const isSeen = canBeSeen(content);
      const length = isSeen ? Array.from(content.trim()).length : 0;
      expect(response.status, JSON.stringify(content)).toBe(length < 1 || length > 500 ? 400 : 201);
      if (response.status === 201) kept.push(content.trim());
    }
    const read: Comment[] = [];
    for (let page: Comment[] | undefined; page === undefined || page.length > 0; read.push(...page)) {
      const before = read.length > 0 ? `?before=${read.at(-1)?.id}` : '';
      page = (await (await app.fetch(`/api/community-polls/parks/comments${before}`)).json()) as Comment[];
    }
    expect(read.map(({ content }) => content)).toEqual(kept.reverse());
    expect(kept.length).toBeGreaterThan(strings.length - 20);
  }, 60_000);
});

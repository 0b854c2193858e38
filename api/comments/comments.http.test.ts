import { afterEach, expect, test } from 'vitest';
import type { Comment } from './comments.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts, seedDiscussedPoll } from '#api/testing/discussions.ts';
import { seedOperator } from '#api/testing/operators.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { waitForLock } from '#api/testing/wait-for-lock.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { commentsOf, deleteCommentsOf } from './comments.service.ts';
import { decide } from '#api/moderation/actions.service.ts';
import type { ModerationContext } from '#api/moderation/actions.service.ts';

const answerOf = async (response: Response) => {
  const text = await response.text();
  return [response.status, text === '' ? null : (JSON.parse(text) as { code?: string }).code] as const;
};
const post = (who: Visitor, poll: string, content: unknown) =>
  who.fetch(`/api/community-polls/${poll}/comments`, { method: 'POST', json: { content } });
const posted = async (who: Visitor, poll: string, content: string) => {
  const response = await post(who, poll, content);
  expect(response.status).toBe(201);
  return (await response.json()) as Comment;
};
const listed = async (who: Visitor, poll: string, query = '') => {
  const response = await who.fetch(`/api/community-polls/${poll}/comments${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Comment[];
};
const contents = (comments: readonly Comment[]) => comments.map(({ content }) => content);
const remove = (who: Visitor, poll: string, id: string) =>
  who.fetch(`/api/community-polls/${poll}/comments/${id}`, { method: 'DELETE' });
const report = (who: Visitor, poll: string, id: string, json: object = {}) =>
  who.fetch(`/api/community-polls/${poll}/comments/${id}/report`, { method: 'POST', json });

const setHidden = (operator: ModerationContext, id: string, hidden: boolean) =>
  decide(operator, { kind: 'comment', id }, { action: hidden ? 'hide' : 'show', actor: 'operator', reason: 'Rude' });

/** A member's request to another process of the same site. */
const through = (app: TestApp, who: Visitor, path: string, { json, ...init }: RequestInit & { json?: unknown }) => {
  const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { 'content-type': 'application/json', 'x-device-id': who.device, cookie };
  return app.fetch(path, { ...init, headers, body: JSON.stringify(json) });
};

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  const start = async (config = {}) => {
    const { db } = await open();
    app = await startTestApp(db, { config });
    const creator = await registered(app, 'carla');
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Berg' });
    const reader = visitor(app);
    await seedDiscussedPoll(db, { id: 'parks', createdBy: creator.user.id });
    return { db, app, creator, anna, reader, operator: { db, clock: app.clock } };
  };
  const countOf = async (db: Database, poll = 'parks') => {
    await expectExactCommentCounts(db);
    return (await db('community_polls').where({ id: poll }).first<{ comment_count: number }>('comment_count'))
      .comment_count;
  };

  test('[S1.12 S3.14 S5.12 S6.1 S7.24] a member comments, and everyone reads it with its author, newest first', async () => {
    const { db, app, creator, anna, reader } = await start();
    expect(await listed(reader, 'parks')).toEqual([]);
    const first = await posted(anna, 'parks', '  More trees, please.\n');
    app.clock.set(testNow + 1_000);
    await posted(creator, 'parks', 'And benches.');
    await posted(creator, 'parks', 'Within the same moment.');
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{28}$/) as string,
      content: 'More trees, please.',
      createdAt: '2026-11-20T12:00:00.000Z',
      editableUntil: '2026-11-20T12:10:00.000Z',
      isMine: true,
      mayDelete: true,
      user: { name: 'Anna Berg', username: 'anna', firstName: 'Anna', lastName: 'Berg', profileImageUrl: null },
    });
    const seen = await listed(reader, 'parks');
    expect(contents(seen)).toEqual(['Within the same moment.', 'And benches.', 'More trees, please.']);
    expect(seen[2]).toEqual({ ...first, editableUntil: undefined, isMine: false, mayDelete: false });
    expect(seen[0]?.user.name).toBe('carla');
    expect(Object.keys(seen[0] ?? {})).not.toContain('userId');
    const [byCreator, , byAnna] = await listed(creator, 'parks');
    expect([byCreator, byAnna]).toMatchObject([
      { isMine: true, mayDelete: true },
      { isMine: false, mayDelete: true },
    ]);
    expect(await countOf(db)).toBe(3);
  });

  once(
    'a namesake of the creator or of the site is told apart by the username, and by the marks of those who are',
    async () => {
      const { db, app, creator, anna, reader } = await start();
      const namesake = await registered(app, 'mallory', { firstName: 'carla' });
      const operator = await seedOperator(db, app, 'olga', 'moderator');
      for (const member of [creator, namesake, operator, anna]) await posted(member, 'parks', 'Hello.');
      const authors = (await listed(reader, 'parks')).map(({ user }) => user);
      expect(authors).toMatchObject([
        { username: 'anna' },
        { username: 'olga' },
        { username: 'mallory' },
        { username: 'carla' },
      ]);
      expect(authors.map(({ isCreator, isStaff }) => [isCreator, isStaff])).toEqual([
        [undefined, undefined],
        [undefined, true],
        [undefined, undefined],
        [true, undefined],
      ]);
      const byNamesake = await made(namesake);
      expect(byNamesake).toMatchObject({ createdByName: 'carla', createdByUsername: 'mallory' });
      expect(byNamesake).not.toHaveProperty('createdByStaff');
      expect(await made(operator)).toMatchObject({ createdByUsername: 'olga', createdByStaff: true });
    },
  );

  once('[S5.9 S6.2] only signed-in members comment, and comments are allowed after the end', async () => {
    const { db, anna, creator, reader } = await start();
    await seedDiscussedPoll(db, { id: 'ended', createdBy: creator.user.id, closedAt: testNow - 1 });
    const { id } = await posted(anna, 'ended', 'Still talking.');
    expect(await answerOf(await post(reader, 'parks', 'Hello'))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await answerOf(await remove(reader, 'ended', id))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await countOf(db)).toBe(0);
  });

  once(
    '[S5.10] a comment has 1 to 500 characters after trimming, and unstorable text is refused at its field',
    async () => {
      const { db, anna } = await start();
      const refusal = async (content: unknown) => {
        const response = await post(anna, 'parks', content);
        expect(response.status).toBe(400);
        const body = (await response.json()) as { code: string; errors: { field: string; message: string }[] };
        expect([body.code, body.errors.map(({ field }) => field)]).toEqual(['VALIDATION_FAILED', ['content']]);
        return body.errors[0]?.message;
      };
      expect(await refusal('')).toBe('Please enter a comment before submitting.');
      expect(await refusal(' \n\t\u3000')).toBe('Please enter a comment before submitting.');
      expect(await refusal('\u200b\u2060\u3164')).toBe('Please enter a comment before submitting.');
      expect(await refusal('x'.repeat(501))).toBe('Comment cannot exceed 500 characters.');
      expect(await refusal('🐘'.repeat(501))).toBe('Comment cannot exceed 500 characters.');
      expect(await refusal('a\0b')).toContain('Comment contains a character that can’t be stored');
      expect(await refusal('a\ud83d')).toContain('Comment contains a character that can’t be stored');
      expect(await refusal(7)).toBe('Comment must be text');
      expect(await countOf(db)).toBe(0);
      const longest = '🐘'.repeat(500);
      expect((await posted(anna, 'parks', `${' '.repeat(600)}${longest}`)).content).toBe(longest);
    },
  );

  once('[D6.10] only authors and the poll’s creator delete a comment', async () => {
    const { db, app, anna, creator } = await start();
    const ben = await registered(app, 'ben');
    await seedDiscussedPoll(db, { id: 'other', createdBy: ben.user.id });
    const mine = await posted(anna, 'parks', 'Mine');
    const kept = await posted(anna, 'parks', 'Kept by its author');
    expect(await answerOf(await remove(ben, 'parks', mine.id))).toEqual([403, 'FORBIDDEN']);
    // The creator of another poll can't delete it through that poll's URL.
    expect(await answerOf(await remove(ben, 'other', mine.id))).toEqual([404, 'COMMENT_NOT_FOUND']);
    expect(await answerOf(await report(ben, 'other', mine.id))).toEqual([404, 'COMMENT_NOT_FOUND']);
    expect(await countOf(db)).toBe(2);
    expect(await answerOf(await remove(anna, 'parks', mine.id))).toEqual([204, null]);
    expect(await answerOf(await remove(anna, 'parks', mine.id))).toEqual([404, 'COMMENT_NOT_FOUND']);
    expect(await answerOf(await remove(creator, 'parks', kept.id))).toEqual([204, null]);
    expect(await listed(anna, 'parks')).toEqual([]);
    expect(await countOf(db)).toBe(0);
  });

  test('ten deletions at the same time delete, and count, once', async () => {
    const { db, anna, creator } = await start();
    const { id } = await posted(anna, 'parks', 'Once');
    await posted(anna, 'parks', 'Stays');
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => (await remove(n % 2 ? anna : creator, 'parks', id)).status),
    );
    expect(statuses.sort()).toEqual([204, ...Array<number>(9).fill(404)]);
    expect(await countOf(db)).toBe(1);
  });

  test('comments, deletions and hiding at the same time leave an exact count', async () => {
    const { db, anna, creator, operator } = await start();
    const there = await Promise.all(Array.from({ length: 12 }, (_, n) => posted(anna, 'parks', `Before ${n}`)));
    await Promise.all(
      there.flatMap(({ id }, n) => [
        posted(n % 2 ? anna : creator, 'parks', `Meanwhile ${n}`),
        n % 3 === 0 ? remove(anna, 'parks', id) : setHidden(operator, id, true),
        ...(n % 3 === 1 ? [remove(creator, 'parks', id)] : []),
      ]),
    );
    expect(await countOf(db)).toBe(12);
  });

  test('a report is stored once per member and comment, with or without a reason', async () => {
    const { db, app, anna, creator } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await posted(anna, 'parks', 'Rude words');
    expect(await answerOf(await report(ben, 'parks', id, { reason: ' It is rude. ' }))).toEqual([204, null]);
    expect(await answerOf(await report(ben, 'parks', id, { reason: 'Again' }))).toEqual([204, null]);
    expect(await answerOf(await report(creator, 'parks', id))).toEqual([204, null]);
    const reports = await db('reports').orderBy('reason').select('user_id', 'reason');
    expect(new Set(reports)).toEqual(
      new Set([
        { user_id: ben.user.id, reason: 'It is rude.' },
        { user_id: creator.user.id, reason: null },
      ]),
    );
    expect(await answerOf(await report(ben, 'parks', id, { reason: 'a\0' }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await answerOf(await report(ben, 'parks', id, { reason: 'x'.repeat(501) }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ]);
    expect(await answerOf(await report(ben, 'parks', 'nothing'))).toEqual([404, 'COMMENT_NOT_FOUND']);
  });

  once('a hidden comment is invisible and not counted until it is shown again', async () => {
    const { db, anna, creator, reader, operator } = await start();
    const { id } = await posted(anna, 'parks', 'Hide me');
    expect(await setHidden(operator, id, true)).toBe('changed');
    expect(await setHidden(operator, id, true)).toBe('unchanged');
    expect([await listed(reader, 'parks'), await listed(anna, 'parks'), await countOf(db)]).toEqual([[], [], 0]);
    expect(await answerOf(await report(creator, 'parks', id))).toEqual([404, 'COMMENT_NOT_FOUND']);
    expect(await setHidden(operator, id, false)).toBe('changed');
    expect([contents(await listed(reader, 'parks')), await countOf(db)]).toEqual([['Hide me'], 1]);
    await setHidden(operator, id, true);
    expect(await answerOf(await remove(anna, 'parks', id))).toEqual([204, null]);
    expect(await countOf(db)).toBe(0);
    expect(await setHidden(operator, id, false)).toBe('missing');
  });

  once('only guests and the creator read and join a private poll’s discussion', async () => {
    const { db, app, anna, creator, reader } = await start();
    const outsider = await registered(app, 'outsider');
    const guests = [anna.user.id];
    await seedDiscussedPoll(db, { id: 'secret', createdBy: creator.user.id, visibility: 'private', guests });
    const { id } = await posted(anna, 'secret', 'Between us');
    for (const [who, answer] of [
      [reader, [401, 'PRIVATE_POLL_AUTH_REQUIRED']],
      [outsider, [403, 'PRIVATE_POLL_ACCESS_DENIED']],
    ] as const)
      expect(await answerOf(await who.fetch('/api/community-polls/secret/comments'))).toEqual(answer);
    for (const call of [post(outsider, 'secret', 'Hi'), remove(outsider, 'secret', id), report(outsider, 'secret', id)])
      expect(await answerOf(await call)).toEqual([403, 'PRIVATE_POLL_ACCESS_DENIED']);
    expect(contents(await listed(creator, 'secret'))).toEqual(['Between us']);
    expect(await answerOf(await post(anna, 'nowhere', 'Hi'))).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await countOf(db, 'secret')).toBe(1);
  });

  once('a member’s comments can be exported and are deleted with the account', async () => {
    const { db, anna, creator, operator } = await start();
    await seedDiscussedPoll(db, { id: 'second', createdBy: null });
    const first = await posted(anna, 'parks', 'One');
    const second = await posted(anna, 'second', 'Two');
    await setHidden(operator, (await posted(anna, 'second', 'Hidden')).id, true);
    await posted(creator, 'parks', 'Stays');
    const { createdAt } = first;
    expect(await commentsOf(db, anna.user.id)).toMatchObject([
      { id: first.id, pollId: 'parks', content: 'One', createdAt },
      { id: second.id, pollId: 'second', content: 'Two', createdAt },
      { pollId: 'second', content: 'Hidden', createdAt },
    ]);
    await Promise.all([
      db.transaction((trx) => deleteCommentsOf(trx, anna.user.id)),
      remove(anna, 'parks', first.id),
      posted(creator, 'second', 'Meanwhile'),
    ]);
    expect(await commentsOf(db, anna.user.id)).toEqual([]);
    expect([await countOf(db), await countOf(db, 'second')]).toEqual([1, 1]);
  });

  once('a comment of a member whose account is being deleted is refused and not counted', async () => {
    const { db, anna } = await start();
    await posted(anna, 'parks', 'Before');
    let statuses: Promise<number[]> | undefined;
    await db.transaction(async (trx) => {
      await deleteCommentsOf(trx, anna.user.id);
      statuses = Promise.all(Array.from({ length: 4 }, async (_, n) => (await post(anna, 'parks', `${n}`)).status));
      // On SQLite they wait for the connection.
      if (!isSqlite(db)) await Promise.race([statuses, waitForLock(db)]);
      await trx('users').where({ id: anna.user.id }).delete();
    });
    expect(await statuses).toEqual([401, 401, 401, 401]);
    expect(await countOf(db)).toBe(0);
  });

  test('[D2.17] a member’s limits hold across processes, and refused comments don’t count against the address', async () => {
    const { db, anna } = await start({ rateLimit: true });
    const other = await startTestApp(db, { config: { rateLimit: true } });
    const elsewhere = { ...anna, fetch: (path: string, init = {}) => through(other, anna, path, init) };
    const { points } = rateLimits.comment;
    for (let n = 0; n < points; n++) await posted(n % 2 === 0 ? anna : elsewhere, 'parks', `${n}`);
    for (const who of [anna, elsewhere]) expect((await post(who, 'parks', 'One too many')).status).toBe(429);
    expect(await db('attempts').pluck('used')).toEqual(expect.arrayContaining([points, points]));
    expect(Math.max(...(await db('attempts').pluck('used')))).toBe(points);
    await other.close();
  });

  once('a member who comments too fast waits, and others do not', async () => {
    const { anna, creator } = await start({ rateLimit: true });
    for (let n = 0; n < rateLimits.comment.points; n++) await posted(anna, 'parks', `${n}`);
    const refused = await post(anna, 'parks', 'One too many');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await posted(creator, 'parks', 'Calm')).isMine).toBe(true);
    const { id } = await posted(creator, 'parks', 'Odd');
    for (let n = 0; n < rateLimits.report.points; n++) expect((await report(anna, 'parks', id)).status).toBe(204);
    expect((await report(anna, 'parks', id)).status).toBe(429);
  });
});

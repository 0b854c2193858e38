import { afterEach, expect, test } from 'vitest';
import type { Comment } from './comments.contract.ts';
import type { BlockedMember } from '#api/polls/community/community-polls.contract.ts';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { notificationText } from '#texts/notifications.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts } from '#api/testing/discussions.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { decide } from '#api/moderation/actions.service.ts';

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna);
    const path = `/api/community-polls/${id}`;
    const say = (who: Visitor, content: string, poll = path) =>
      ask<Comment & { code?: string; message?: string }>(who, `${poll}/comments`, 'POST', { content });
    const read = async (who: Visitor) =>
      (await ask<Comment[]>(who, `${path}/comments`)).body.map(({ content, hidden }) => [content, hidden ?? false]);
    const hide = (who: Visitor, commentId: string, hidden: boolean) =>
      ask(who, `/api/community-polls/${id}/comments/${commentId}/hidden`, 'POST', { hidden });
    return { db, app, anna, ben, id, path, say, read, hide };
  }

  test('a comment that the creator hides is shown to the creator only, and can be shown again', async () => {
    const { db, app, anna, ben, say, read, hide } = await start();
    const { body: comment } = await say(ben, 'Rude');
    await say(ben, 'Kind');
    expect((await hide(ben, comment.id, true)).body.code).toBe('FORBIDDEN');
    for (const again of [1, 2]) expect([again, (await hide(anna, comment.id, true)).status]).toEqual([again, 204]);
    for (const who of [ben, visitor(app)]) expect(await read(who)).toEqual([['Kind', false]]);
    expect(await read(anna)).toEqual([
      ['Kind', false],
      ['Rude', true],
    ]);
    await expectExactCommentCounts(db);
    const about = { action: 'suspend', actor: 'operator', reason: 'Rude' } as const;
    await decide({ db, clock: app.clock }, { kind: 'member', id: ben.user.id }, about);
    expect((await hide(anna, comment.id, false)).status).toBe(204);
    expect(await read(visitor(app))).toEqual([]);
    await decide({ db, clock: app.clock }, { kind: 'member', id: ben.user.id }, { ...about, action: 'lift' });
    expect(await read(visitor(app))).toEqual([
      ['Kind', false],
      ['Rude', false],
    ]);
    await hide(anna, comment.id, true);
    await hide(anna, comment.id, false);
    expect(await read(visitor(app))).toEqual([
      ['Kind', false],
      ['Rude', false],
    ]);
    await expectExactCommentCounts(db);
  });

  test('a comment that the creator hides is announced as hidden, and as removed once it is deleted', async () => {
    const { app, anna, ben, path, say, hide } = await start();
    const carl = await registered(app, 'carl');
    const { body: comment } = await say(ben, 'Rude');
    await ask(carl, `${path}/comments/${comment.id}/report`, 'POST', { category: 'abuse' });
    const told = async (who: Visitor) =>
      (await ask<NotificationPage>(who, '/api/user/notifications')).body.notifications
        .filter(({ kind }) => kind === 'moderation' || kind === 'report')
        .map((notification) => notificationText(notification));
    const on = 'on “Tea or coffee?”';
    await hide(anna, comment.id, true);
    expect([await told(ben), await told(carl)]).toEqual([
      [`Your comment ${on} was hidden by the poll’s creator`],
      [`A comment you reported ${on} was hidden by the poll’s creator`],
    ]);
    await hide(anna, comment.id, false);
    expect([await told(ben), await told(carl)]).toEqual([[], []]);
    await hide(anna, comment.id, true);
    await ask(anna, `${path}/comments/${comment.id}`, 'DELETE');
    expect([await told(ben), await told(carl)]).toEqual([
      [`Your comment ${on} was removed`],
      [`A comment you reported ${on} was removed`],
    ]);
  });

  test('what the operator hides is gone for the creator, even if the creator hid it before', async () => {
    const { db, app, anna, ben, say, read, hide } = await start();
    const { body: comment } = await say(ben, 'Rude');
    await hide(anna, comment.id, true);
    const outcomes = [];
    for (let times = 0; times < 2; times++)
      outcomes.push(
        await decide(
          { db, clock: app.clock },
          { kind: 'comment', id: comment.id },
          { action: 'hide', actor: 'operator', reason: 'Rude' },
        ),
      );
    expect(outcomes).toEqual(['changed', 'unchanged']);
    expect(await read(anna)).toEqual([]);
    expect((await hide(anna, comment.id, false)).body.code).toBe('COMMENT_NOT_FOUND');
    await decide(
      { db, clock: app.clock },
      { kind: 'comment', id: comment.id },
      { action: 'show', actor: 'operator', reason: 'Rude' },
    );
    expect(await read(visitor(app))).toEqual([['Rude', false]]);
    await expectExactCommentCounts(db);
  });

  test('with comments turned off nobody but the creator comments, and what was written stays', async () => {
    const { anna, ben, path, say, read } = await start();
    await say(ben, 'First');
    await ask(anna, path, 'PATCH', { commentsOpen: false });
    const { status, body } = await say(ben, 'Second');
    expect([status, body.message]).toEqual([403, 'The creator of this poll has turned comments off.']);
    expect((await say(anna, 'Enough for today.')).status).toBe(201);
    expect(await read(ben)).toEqual([
      ['Enough for today.', false],
      ['First', false],
    ]);
    await ask(anna, path, 'PATCH', { commentsOpen: true });
    expect((await say(ben, 'Third')).status).toBe(201);
  });

  test('a blocked member comments on no poll of the creator until unblocked, and on polls of others as before', async () => {
    const { app, anna, ben, id, path, say } = await start();
    const cleo = await registered(app, 'cleo');
    const [other, elsewhere] = [await made(anna), await made(cleo)];
    const { body: comment } = await say(ben, 'Rude');
    const block = (who: Visitor) => ask(who, `/api/community-polls/${id}/blocks`, 'POST', { commentId: comment.id });
    expect((await block(cleo)).body.code).toBe('FORBIDDEN');
    for (const again of [1, 2]) expect([again, (await block(anna)).status]).toEqual([again, 204]);
    for (const poll of [path, `/api/community-polls/${other.id}`]) {
      const { status, body } = await say(ben, 'Again', poll);
      expect([status, body.message]).toEqual([403, 'The creator of this poll doesn’t accept comments from you.']);
    }
    expect((await say(ben, 'Hello', `/api/community-polls/${elsewhere.id}`)).status).toBe(201);
    expect((await say(cleo, 'Hello')).status).toBe(201);
    const { body: blocked } = await ask<BlockedMember[]>(anna, `${path}/blocks`);
    expect(blocked.map(({ username }) => username)).toEqual(['ben']);
    const unblock = () => ask(anna, `/api/community-polls/${id}/blocks/${ben.user.id}`, 'DELETE');
    expect([(await unblock()).status, (await unblock()).status]).toEqual([204, 404]);
    expect((await say(ben, 'Sorry')).status).toBe(201);
  });
});

import { afterEach, expect, test } from 'vitest';
import type { Comment } from './comments.contract.ts';
import type { Notification } from '#api/members/notifications/notifications.contract.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts } from '#api/testing/discussions.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

type Answer = Comment & { code?: string };

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  async function start(poll: object = {}) {
    const { db } = await open();
    app = await startTestApp(db);
    const { clock } = app;
    const [anna, ben, carl] = [
      await registered(app, 'anna'),
      await registered(app, 'ben'),
      await registered(app, 'carl', { firstName: 'Carl', lastName: 'Ode' }),
    ];
    const { id } = await made(anna, poll);
    const path = `/api/community-polls/${id}/comments`;
    let now = testNow;
    const say = async (who: Visitor, content: string, replyTo?: string) => {
      clock.set((now += 1_000));
      return (await ask<Answer>(who, path, 'POST', { content, ...(replyTo && { replyTo }) })).body;
    };
    const read = async (who: Visitor, query = '') => (await ask<Comment[]>(who, path + query)).body;
    const edit = (who: Visitor, comment: Comment, content: string) =>
      ask<Answer>(who, `${path}/${comment.id}`, 'PATCH', { content });
    const news = async (who: Visitor) =>
      (await ask<{ notifications: Notification[] }>(who, '/api/user/notifications')).body.notifications
        .filter(({ kind }) => kind !== 'badge')
        .map(({ kind, comment, lastPerson }) => [kind, comment, lastPerson]);
    return { db, app, clock, anna, ben, carl, id, path, say, read, edit, news, reader: visitor(app) };
  }

  test('a reply is listed with the comment it answers, and so is an answer to it, oldest first', async () => {
    const { db, ben, carl, reader, say, read } = await start();
    const first = await say(ben, 'First');
    const reply = await say(carl, 'Reply', first.id);
    expect(reply.replyTo).toBe(first.id);
    expect((await say(ben, 'Answer', reply.id)).replyTo).toBe(first.id);
    await say(carl, 'Second');
    const [second, threaded, ...none] = await read(reader);
    expect([second?.content, second?.replies, none]).toEqual(['Second', undefined, []]);
    expect(threaded).toMatchObject({ content: 'First', replyCount: 2 });
    expect(threaded?.replies?.map(({ content }) => content)).toEqual(['Reply', 'Answer']);
    expect((await say(ben, 'To nothing', 'gone')).code).toBe('COMMENT_NOT_FOUND');
    await expectExactCommentCounts(db);
  });

  test('a comment comes with its first five replies, and the others are read in pages', async () => {
    const { ben, reader, say, read } = await start();
    const { id } = await say(ben, 'Count');
    for (let n = 1; n <= 7; n++) await say(ben, `Reply ${n}`, id);
    const [comment] = await read(reader);
    expect(comment).toMatchObject({ replyCount: 7 });
    expect(comment?.replies).toHaveLength(5);
    const next = await read(reader, `?replyTo=${id}&after=${comment?.replies?.at(-1)?.id}`);
    expect(next.map(({ content }) => content)).toEqual(['Reply 6', 'Reply 7']);
  });

  test('replies stay when what they answer is hidden, which shows neither text nor author, or deleted', async () => {
    const { db, path, anna, ben, carl, reader, say, read } = await start();
    const first = await say(ben, 'Rude');
    await say(carl, 'Be kind', first.id);
    const alone = await say(ben, 'Also rude');
    for (const { id } of [first, alone]) await ask(anna, `${path}/${id}/hidden`, 'POST', { hidden: true });
    expect(await read(reader)).toMatchObject([
      { removed: true, content: '', user: { name: '' }, replies: [{ content: 'Be kind' }] },
    ]);
    expect(await read(anna)).toMatchObject([{ content: 'Also rude' }, { content: 'Rude', hidden: true }]);
    await expectExactCommentCounts(db);
    await ask(ben, `${path}/${first.id}`, 'DELETE');
    const [left] = await read(reader);
    expect([left?.content, left?.replyTo]).toEqual(['Be kind', undefined]);
    await expectExactCommentCounts(db);
  });

  test('authors edit a comment for ten minutes, and it is marked', async () => {
    const { clock, ben, carl, reader, say, read, edit } = await start();
    const comment = await say(ben, 'Tipo');
    expect((await edit(carl, comment, 'Mine')).body.code).toBe('FORBIDDEN');
    expect((await edit(ben, comment, '   ')).body.code).toBe('VALIDATION_FAILED');
    expect((await edit(ben, comment, 'Tipo')).body).not.toHaveProperty('editedAt');
    clock.set(Date.parse(comment.editableUntil!) - 1);
    expect((await edit(ben, comment, ' Typo ')).body).toMatchObject({ content: 'Typo' });
    const [seen] = await read(reader);
    expect([seen?.content, seen?.editedAt]).toEqual(['Typo', new Date(clock.now()).toISOString()]);
    clock.set(Date.parse(comment.editableUntil!));
    expect((await edit(ben, comment, 'Late')).body.code).toBe('FORBIDDEN');
    const [still] = await read(ben);
    expect([still?.content, still?.editableUntil]).toEqual(['Typo', undefined]);
  });

  test('a link to a reply finds it with the comment it answers, however many there are', async () => {
    const { path, anna, ben, reader, say } = await start();
    const { id } = await say(ben, 'Old');
    for (let n = 1; n <= 6; n++) await say(ben, `Reply ${n}`, id);
    const last = await say(anna, 'The last one', id);
    const at = async (commentId: string) => (await ask<Answer>(reader, `${path}/${commentId}`)).body;
    expect(await at(last.id)).toMatchObject({ id, replies: [{ content: 'The last one' }], replyCount: 7 });
    expect((await at(id)).replies).toHaveLength(5);
    await ask(anna, `${path}/${last.id}`, 'DELETE');
    expect((await at(last.id)).code).toBe('COMMENT_NOT_FOUND');
  });

  test('a reply and a mention notify once each, unless the member turned that off', async () => {
    const { anna, ben, carl, id, news, say, edit } = await start();
    const first = await say(ben, 'What do you think?');
    expect(await news(anna)).toEqual([['comment', undefined, '@ben']]);
    const reply = await say(carl, '@ben @Anna, and x@ben.example: yes. @nobody', first.id);
    expect(await news(ben)).toEqual([['reply', reply.id, 'Carl Ode (@carl)']]);
    expect((await news(anna))[0]).toEqual(['mention', reply.id, 'Carl Ode (@carl)']);
    const edited = await say(ben, 'Asking @anna.');
    await edit(ben, edited, 'Asking @anna and @carl.');
    expect(await news(carl)).toEqual([['mention', edited.id, '@ben']]);
    expect((await news(anna)).filter(([, comment]) => comment === edited.id)).toHaveLength(1);
    await ask(anna, `/api/community-polls/${id}/blocks`, 'POST', { commentId: reply.id });
    expect((await say(carl, '@anna', edited.id)).code).toBe('FORBIDDEN');
    await ask(carl, '/api/user/notifications/muted', 'POST', { topic: 'mention', muted: true });
    await say(ben, '@carl again');
    expect(await news(carl)).toHaveLength(1);
    await ask(anna, `/api/community-polls/${id}/comments/${edited.id}`, 'DELETE');
    expect(await news(carl)).toEqual([]);
  });

  test('a handle finds its member in any case of letters and at the end of a sentence, and in no address', async () => {
    const { app, anna, ben, carl, news, say } = await start();
    const dotted = await registered(app, 'Ben.');
    const told = async () => [await news(ben), await news(dotted), await news(carl)].map((list) => list.length);
    await say(anna, 'https://x.example/?to=@carl and @carl@host.example');
    expect(await told()).toEqual([0, 0, 0]);
    await say(anna, 'As @BEN. said');
    expect(await told()).toEqual([0, 1, 0]);
    await say(anna, 'Ask @bEn, or @CARL.');
    expect(await told()).toEqual([1, 1, 1]);
  });

  test('nobody is told of a private poll by a mention who was not invited', async () => {
    const { anna, ben, carl, id, news, say } = await start({ visibility: 'private' });
    await ask(anna, `/api/community-polls/${id}/invites`, 'POST', { usernameOrEmail: 'ben' });
    const { id: comment } = await say(anna, '@ben @carl');
    expect((await news(ben))[0]).toEqual(['mention', comment, '@anna']);
    expect(await news(carl)).toEqual([]);
  });
});

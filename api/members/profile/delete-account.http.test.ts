import { expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { ask, castVote, invited, made, newPoll } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts } from '#api/testing/discussions.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn, testPassword, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';

const deleteAccount = (browser: Visitor, username: string, password = testPassword) =>
  ask(browser, '/api/user', 'DELETE', { username, password });

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    await seedPolls(db, [{ id: 'weekly' }]);
    const app = await startTestApp(db, { config: { smtpUrl: 'smtp://127.0.0.1:1' } });
    return { db, app, anna: await registered(app, 'Anna', { firstName: 'Anna', email: 'anna@example.org' }) };
  }

  test('[D5.14] polls of a deleted account are closed and stay, as by a former member', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const open = await made(anna, { endsAt: new Date(testNow + 86_400_000).toISOString() });
    const secret = await made(anna, { visibility: 'private' });
    const upcoming = await made(anna, { startsAt: new Date(testNow + 3_600_000).toISOString() });
    await invited(anna, secret.id, 'ben');
    await castVote(ben, open.id);
    app.clock.set(testNow + 60_000);
    expect((await deleteAccount(anna, 'Anna')).status).toBe(204);

    const closedAt = new Date(testNow + 60_000).toISOString();
    for (const { id } of [open, secret, upcoming]) {
      const { body } = await ask<CommunityPoll>(ben, `/api/community-polls/${id}`);
      expect(body).toMatchObject({ createdByName: 'a former member', isActive: false, closedAt, isMine: false });
    }
    expect((await castVote(visitor(app), open.id)).body.code).toBe('POLL_CLOSED');
    // Only invited members can see the private poll.
    expect((await ask(await registered(app, 'carl'), `/api/community-polls/${secret.id}`)).status).toBe(403);
    await expectExactCounters(db);
  });

  test('[D2.20 D5.14] comments are deleted and no longer counted, votes stay counted without a name', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(ben);
    const comments = `/api/community-polls/${id}/comments`;
    for (const content of ['One', 'Two']) await ask(anna, comments, 'POST', { content });
    await ask(ben, comments, 'POST', { content: 'Three' });
    await castVote(anna, id);
    await anna.fetch('/api/polls/weekly/vote', { method: 'POST', json: { optionId: 'o1' } });
    expect((await deleteAccount(anna, 'Anna')).status).toBe(204);

    const { body: left } = await ask<Comment[]>(ben, comments);
    expect(left.map(({ content }) => content)).toEqual(['Three']);
    const { body: poll } = await ask<CommunityPoll>(ben, `/api/community-polls/${id}`);
    expect(poll).toMatchObject({ commentCount: 1, totalVotes: 1 });
    expect(await db('votes').pluck('user_id')).toEqual([null, null]);
    await expectExactCommentCounts(db);
    await expectExactCounters(db);
    // The device has still voted.
    expect((await castVote(anna, id)).body.code).toBe('ALREADY_VOTED');
  });

  test('[D5.14] nothing else is kept: account, sessions, invitations, activities, badges, events, progress, reports, notifications, recovery codes, mail', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const secret = await made(ben, { visibility: 'private' });
    await invited(ben, secret.id, 'anna');
    const comments = `/api/community-polls/${secret.id}/comments`;
    const comment = await ask<{ id: string }>(ben, comments, 'POST', { content: 'Hello' });
    await ask(anna, `${comments}/${comment.body.id}/report`, 'POST', { reason: 'No' });
    const user_id = anna.user.id;
    await castVote(anna, secret.id);
    await ask(anna, '/api/user/summary');
    await ask(anna, '/api/user/notifications/muted', 'POST', { topic: 'badge', muted: true });
    await ask(anna, '/api/user/notifications/feed', 'POST');
    const notified = ['notifications', 'notification_mutes', 'notification_readers'];
    const mailed = ['jobs', 'email_changes'];
    const personal = ['badges', ...notified, ...mailed];
    const own = () => db('events').where({ member_id: user_id });
    expect((await own()).length).toBeGreaterThan(0);
    for (const table of personal) expect((await db(table).where({ user_id })).length, table).toBeGreaterThan(0);
    expect((await deleteAccount(anna, 'Anna')).status).toBe(204);
    for (const table of [
      'sessions',
      'recovery_codes',
      'reset_links',
      'passkeys',
      'operators',
      'member_pictures',
      'community_poll_guests',
      'reports',
      'content_origins',
      ...personal,
    ])
      expect(await db(table).where({ user_id }), table).toEqual([]);
    // Not even in the events of the host.
    expect(JSON.stringify(await db('events'))).not.toContain(user_id);
    expect(await db('users').pluck('username')).toEqual(['ben']);
  });

  once('cookies of a deleted account are invalid, and its name is free again', async () => {
    const { app, anna } = await start();
    const laptop = await signedIn(app, 'anna');
    expect((await deleteAccount(anna, 'Anna')).status).toBe(204);
    // They belong to the browser, not to the account.
    const ofBrowser = ['wv_voter', 'wv_known'];
    expect([...anna.cookies.keys()].filter((name) => !ofBrowser.includes(name))).toEqual([]);
    expect((await ask(laptop, '/api/user')).status).toBe(401);
    expect([...laptop.cookies.keys()].filter((name) => !ofBrowser.includes(name))).toEqual([]);
    const again = await registered(app, 'ANNA', { email: 'anna@example.org' });
    expect(again.user.id).not.toBe(anna.user.id);
  });

  once('deleting an account needs the password and the username', async () => {
    const { db, app, anna } = await start();
    await made(anna);
    expect(await deleteAccount(anna, 'Anna', 'guess')).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    expect(await deleteAccount(anna, 'Ann')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ field: 'username', message: 'This is not your username' }] },
    });
    expect((await deleteAccount(visitor(app), 'Anna')).status).toBe(401);
    expect((await ask(anna, '/api/user')).status).toBe(200);
    expect(await db('ballots').where({ kind: 'community' }).pluck('closed_at')).toEqual([null]);
    expect((await deleteAccount(anna, ' anna ')).status).toBe(204);
  });

  once('lists that had a deleted member’s poll are published again', async () => {
    const { db, app, anna } = await start();
    await made(anna, { visibility: 'unlisted' });
    await deleteAccount(anna, 'Anna');
    expect(await waitingPages(db)).toEqual([]);
    const ben = await registered(app, 'ben');
    const { id } = await made(ben);
    await forgetPages(db);
    await deleteAccount(ben, 'ben');
    expect(await waitingPages(db).select('kind', 'key')).toEqual([{ kind: 'community', key: id }]);
  });

  test('votes, comments, and polls made during the deletion leave no trace of the account', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const polls = await Promise.all(Array.from({ length: 4 }, () => made(ben)));
    const own = await made(anna);
    const answers = await Promise.all([
      ...polls.map(({ id }) => castVote(anna, id)),
      ...polls.map(({ id }) => ask(anna, `/api/community-polls/${id}/comments`, 'POST', { content: 'Bye' })),
      deleteAccount(anna, 'Anna'),
      ask(anna, '/api/community-polls', 'POST', newPoll),
      ...polls.map(({ id }) => ask(anna, `/api/community-polls/${id}/comments`, 'POST', { content: 'Bye again' })),
      castVote(visitor(app), own.id),
    ]);
    expect(answers.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
    expect(await db('users').pluck('id')).toEqual([ben.user.id]);
    expect(await db('comments')).toEqual([]);
    expect(await db('votes').whereNotNull('user_id')).toEqual([]);
    expect(
      await db('ballots')
        .where({ kind: 'community' })
        .whereNotIn(
          'id',
          polls.map(({ id }) => id),
        )
        .whereNull('closed_at'),
    ).toEqual([]);
    await expectExactCommentCounts(db);
    await expectExactCounters(db);
  });
});

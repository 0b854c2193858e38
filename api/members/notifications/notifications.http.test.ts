import { expect, test } from 'vitest';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { decide } from '#api/moderation/actions.service.ts';
import type { ModerationContext } from '#api/moderation/actions.service.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { notificationPageSchema } from './notifications.contract.ts';
import type { NotificationPage } from './notifications.contract.ts';
import type { MutableKind } from '#contract/vocabulary.ts';
import { setFeatured } from '#api/polls/community/community-polls.service.ts';
import { record } from '#api/events/record.service.ts';
import type { Database } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { notificationPage, sweepNotifications, unreadCount } from './notifications.service.ts';

const isPage = compileSchema<NotificationPage>(notificationPageSchema, 'json');
const day = 86_400_000;

/** What a member is notified of, without badges. */
async function told(member: Member, page = 1): Promise<NotificationPage['notifications']> {
  const { status, body } = await ask<NotificationPage>(member, `/api/user/notifications?page=${page}`);
  expect([status, isPage(body), isPage.errors]).toEqual([200, true, null]);
  return body.notifications.filter(({ kind }) => kind !== 'badge');
}
const unread = async (member: Member) =>
  (await ask<{ unreadNotifications: number }>(member, '/api/user/summary')).body.unreadNotifications;
const comment = async (member: Member, pollId: string, content = 'Hello') =>
  (await ask<Comment>(member, `/api/community-polls/${pollId}/comments`, 'POST', { content })).body;
const setHidden = (operator: ModerationContext, id: string, hidden: boolean, reason = 'Rude') =>
  decide(operator, { kind: 'comment', id }, { action: hidden ? 'hide' : 'show', actor: 'operator', reason });
const mark = async (member: Member, body: { until: string; notificationId?: number }) =>
  (await ask<{ unread: number }>(member, '/api/user/notifications/read', 'POST', body)).body.unread;
const mute = async (member: Member, topic: MutableKind, muted: boolean) =>
  expect((await ask(member, '/api/user/notifications/muted', 'POST', { topic, muted })).status).toBe(204);

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const app = await startTestApp(db);
    return { db, app, operator: { db, clock: app.clock }, anna: await registered(app, 'anna', { firstName: 'Anna' }) };
  }
  /** Marks everything as read, such as the badges of a new member, which the summary awards first. */
  const readAll = async (member: Member) => {
    await unread(member);
    return mark(member, { until: '2100-01-01T00:00:00.000Z' });
  };

  test('comments of many people at the same moment are one notification with their exact number', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const people = await Promise.all(['ben', 'carl', 'dora', 'emil'].map((name) => registered(app, name)));
    await Promise.all([...people, ...people].map((member) => comment(member, id)));
    await comment(anna, id, 'My own');
    app.clock.set(testNow + 1_000);
    await comment(people[1]!, id, 'Last');
    expect(await told(anna)).toMatchObject([
      { kind: 'comment', poll: { id, kind: 'community', question: 'Tea or coffee?' }, people: 4, lastPerson: '@carl' },
    ]);
    for (const member of people) expect(await told(member)).toEqual([]);
  });

  once('a comment that mentions the creator is not counted again among the comments on the poll', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const [ben, carl] = [await registered(app, 'ben'), await registered(app, 'carl')];
    await comment(ben, id);
    app.clock.set(testNow + 1_000);
    await comment(carl, id, 'What do you think, @anna?');
    expect(await told(anna)).toMatchObject([
      { kind: 'mention', people: 1, lastPerson: '@carl' },
      { kind: 'comment', people: 1, lastPerson: '@ben' },
    ]);
  });

  once('an edit that mentions the creator or whom the comment answers notifies neither again', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const [ben, carl] = [await registered(app, 'ben'), await registered(app, 'carl')];
    const first = await comment(ben, id);
    const path = `/api/community-polls/${id}/comments`;
    const answer = await ask<Comment>(carl, path, 'POST', { content: 'Indeed', replyTo: first.id });
    const content = 'Indeed, @anna and @ben';
    expect((await ask(carl, `${path}/${answer.body.id}`, 'PATCH', { content })).status).toBe(200);
    expect(await told(anna)).toMatchObject([{ kind: 'comment', people: 2 }]);
    expect(await told(ben)).toMatchObject([{ kind: 'reply', lastPerson: '@carl' }]);
  });

  once('a comment after the notification was read is a new notification about that comment alone', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const [ben, carl] = [await registered(app, 'ben'), await registered(app, 'carl')];
    await comment(ben, id);
    await readAll(anna);
    app.clock.set(testNow + 1_000);
    await comment(carl, id);
    expect(await told(anna)).toMatchObject([
      { people: 1, lastPerson: '@carl', read: false },
      { people: 1, lastPerson: '@ben', read: true },
    ]);
  });

  test('while one device marks comments as read, no further comment is lost', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const ben = await registered(app, 'ben');
    await comment(ben, id);
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? readAll(anna) : comment(ben, id, `Comment ${n}`))),
    );
    app.clock.set(testNow + 1_000);
    await comment(ben, id, 'After');
    const rows = await told(anna);
    expect(rows.filter(({ read }) => !read)).toMatchObject([
      { people: 1, at: new Date(testNow + 1_000).toISOString() },
    ]);
  });

  once('deleted and hidden comments, and those of deleted accounts, are no longer counted', async () => {
    const { db, app, anna, operator } = await start();
    const { id } = await made(anna);
    const [ben, carl, dora] = [
      await registered(app, 'ben'),
      await registered(app, 'carl'),
      await registered(app, 'dora'),
    ];
    const [first, second] = [await comment(ben, id), await comment(carl, id)];
    await comment(dora, id);
    expect(await told(anna)).toMatchObject([{ people: 3 }]);
    await ask(ben, `/api/community-polls/${id}/comments/${first.id}`, 'DELETE');
    expect(await told(anna)).toMatchObject([{ people: 2 }]);
    await setHidden(operator, second.id, true);
    expect(await told(anna)).toMatchObject([{ people: 1, lastPerson: '@dora' }]);
    await readAll(anna);
    await db('users').where({ id: dora.user.id }).del();
    expect([await told(anna), await unread(anna)]).toEqual([[], 0]);
  });

  once('an invited member is notified, and no longer once the invitation is withdrawn', async () => {
    const { app, anna } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { visibility: 'private' });
    await invited(anna, id, 'ben');
    await readAll(anna);
    expect(await told(ben)).toMatchObject([{ kind: 'invited', poll: { id }, read: false }]);
    const before = await unread(ben);
    await ask(anna, `/api/community-polls/${id}/invites/${ben.user.id}`, 'DELETE');
    expect([await told(ben), await unread(ben)]).toEqual([[], before - 1]);
    expect(await told(anna)).toEqual([]);
  });

  test('members who voted on a poll are notified of its result once, and not while it is open again', async () => {
    const { db, app, anna, operator } = await start();
    await seedPolls(db, [{ id: 'weekly' }]);
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { endsAt: new Date(testNow + day).toISOString() });
    for (const member of [anna, ben]) await castVote(member, id);
    await castVote(visitor(app), id);
    await ben.fetch('/api/polls/weekly/vote', { method: 'POST', json: { optionId: 'o1' } });
    expect(await told(ben)).toEqual([]);
    const { ends_at } = await db('ballots').where({ id: 'weekly' }).first<{ ends_at: number }>('ends_at');
    app.clock.set(Math.max(ends_at, testNow + day) + 1_000);
    await closeDue(operator);
    const later = await signedIn(app, 'ben');
    // Two tabs request them simultaneously.
    await Promise.all(Array.from({ length: 4 }, () => told(later)));
    expect((await told(later)).map(({ kind, poll }) => [kind, poll?.id])).toEqual(
      expect.arrayContaining([
        ['result', id],
        ['result', 'weekly'],
      ]),
    );
    expect(await db('notifications').where({ user_id: ben.user.id, kind: 'result' })).toHaveLength(2);
    expect(await told(await signedIn(app, 'anna'))).toMatchObject([{ kind: 'result', poll: { id } }]);
    await readAll(later);
    await db('ballots').where({ id: 'weekly' }).update({ closed_at: null, is_active: true });
    expect((await told(later)).map(({ poll }) => poll?.id)).toEqual([id]);
  });

  once('a creator who closes a poll early is not notified of the result, the other voters are', async () => {
    const { app, anna } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna);
    for (const member of [anna, ben]) await castVote(member, id);
    app.clock.set(testNow + 1_000);
    expect((await ask<CommunityPoll>(anna, `/api/community-polls/${id}/close`, 'POST')).status).toBe(200);
    expect([await told(anna), await told(ben)]).toMatchObject([[], [{ kind: 'result', poll: { id } }]]);
  });

  test('closing a poll writes nothing per voter, and every voter is still notified once, even after an interruption', async () => {
    const { db, app, anna, operator } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { endsAt: new Date(testNow + day).toISOString() });
    await castVote(ben, id);
    app.clock.set(testNow + day + 1_000);
    const rows = () => db('notifications').where({ kind: 'result' });
    await closeDue(operator);
    expect(await rows()).toEqual([]);
    const later = await signedIn(app, 'ben');
    // The transaction that inserts them ends without a commit, as by kill -9.
    await failsOnce(db, later);
    expect(await rows()).toEqual([]);
    expect(await told(later)).toMatchObject([{ kind: 'result', poll: { id } }]);
    app.clock.set(testNow + 30 * day);
    expect(await told(await signedIn(app, 'ben'))).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  /** A request for the notifications whose last statement fails. */
  async function failsOnce(db: Database, member: Member) {
    await db.schema.alterTable('notification_readers', (t) => t.renameColumn('results_after', 'away'));
    expect((await ask(member, '/api/user/notifications')).status).toBe(500);
    await db.schema.alterTable('notification_readers', (t) => t.renameColumn('away', 'results_after'));
  }

  test('an act and its notification are stored together or not at all, and the event does not say whom it concerns', async () => {
    const { db, anna } = await start();
    const subject = { kind: 'community-poll', id: 'dinner' };
    const invite = (end: () => Promise<void>) =>
      db.transaction(async (trx) => {
        await record(trx, { type: 'invitation.sent', at: testNow, subject, account: anna.user.id });
        await end();
      });
    const stored = async () => ({
      events: await db('events').where({ type: 'invitation.sent' }),
      notified: await db('notifications').where({ kind: 'invited' }).pluck('user_id'),
    });
    await expect(invite(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await stored()).toEqual({ events: [], notified: [] });
    await invite(() => Promise.resolve());
    const { events, notified } = await stored();
    expect(notified).toEqual([anna.user.id]);
    expect(events).toMatchObject([{ subject: 'dinner', member_id: null, actor: null }]);
    expect(JSON.stringify(events)).not.toContain(anna.user.id);
  });

  once('the creator of a poll is notified when it is featured, once while unread', async () => {
    const { anna, operator } = await start();
    const { id } = await made(anna);
    for (const featured of [true, true, false, true]) await setFeatured(operator, id, featured);
    expect(await told(anna)).toMatchObject([{ kind: 'featured', poll: { id } }]);
  });

  once('earned badges are one notice until it is read, and each is in one notice only', async () => {
    const { anna, app } = await start();
    const { id } = await made(anna);
    await castVote(anna, id);
    for (let times = 0; times < 2; times++) await unread(anna);
    const page = async () => (await ask<NotificationPage>(anna, '/api/user/notifications')).body;
    const badges = async () => (await page()).notifications.map((notice) => [...notice.badges].sort());
    expect(await badges()).toEqual([['early_adopter', 'own_horn', 'votes_1']]);
    expect((await page()).unread).toBe(1);

    app.clock.set(app.clock.now() + 60_000);
    expect(await readAll(anna)).toBe(0);
    app.clock.set(app.clock.now() + 60_000);
    await comment(anna, id, 'First!');
    await unread(anna);
    const [newest, ...older] = await badges();
    expect(older).toEqual([['early_adopter', 'own_horn', 'votes_1']]);
    expect(newest!.length).toBeGreaterThan(0);
    expect(newest).not.toContain('votes_1');
  });

  once(
    'authors learn why their comment was removed, reporters that it was, and both what comes of it later',
    async () => {
      const { app, anna, operator } = await start();
      const [ben, carl] = [await registered(app, 'ben'), await registered(app, 'carl')];
      const { id } = await made(anna);
      const rude = await comment(ben, id, 'Rude');
      await ask(carl, `/api/community-polls/${id}/comments/${rude.id}/report`, 'POST', { reason: 'Rude' });
      await setHidden(operator, rude.id, true, 'Insults a person');
      expect(await told(ben)).toMatchObject([{ kind: 'moderation', reason: 'Insults a person', poll: { id } }]);
      expect(await told(carl)).toMatchObject([{ kind: 'report', reason: null, poll: { id } }]);
      await readAll(ben);
      await readAll(carl);
      await setHidden(operator, rude.id, false, 'A quote');
      expect(await told(ben)).toMatchObject([{ decision: { action: 'show' }, reason: 'A quote' }, { read: true }]);
      await readAll(ben);
      await ask(anna, `/api/community-polls/${id}/comments/${rude.id}`, 'DELETE');
      const news = async (who: Member) => (await told(who)).filter(({ read }) => !read);
      expect([await news(ben), await news(carl)]).toMatchObject([[{ kind: 'moderation' }], [{ kind: 'report' }]]);
      // The notice outlives the poll.
      await ask(anna, `/api/community-polls/${id}`, 'DELETE');
      expect(await news(ben)).toMatchObject([{ kind: 'moderation', poll: null }]);
    },
  );

  once('notifications of a deleted poll are gone', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    await comment(await registered(app, 'ben'), id);
    expect(await told(anna)).toHaveLength(1);
    const before = await unread(anna);
    await ask(anna, `/api/community-polls/${id}`, 'DELETE');
    expect([await told(anna), await unread(anna)]).toEqual([[], before - 1]);
  });

  once('members get no notifications of a kind they turned off, also not later for that time', async () => {
    const { db, app, anna, operator } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { endsAt: new Date(testNow + day).toISOString() });
    await castVote(ben, id);
    await mute(ben, 'result', true);
    await mute(anna, 'comment', true);
    await Promise.all(Array.from({ length: 3 }, () => mute(anna, 'comment', true)));
    await comment(ben, id);
    app.clock.set(testNow + day + 1_000);
    await closeDue(operator);
    const [benLater, annaLater] = [await signedIn(app, 'ben'), await signedIn(app, 'anna')];
    expect([await told(benLater), await told(annaLater)]).toEqual([[], []]);
    expect((await ask<NotificationPage>(annaLater, '/api/user/notifications')).body.muted).toEqual(['comment']);
    await mute(benLater, 'result', false);
    await mute(annaLater, 'comment', false);
    expect([await told(benLater), await told(annaLater)]).toEqual([[], []]);
    await comment(benLater, id);
    expect(await told(annaLater)).toMatchObject([{ kind: 'comment', people: 1 }]);
    expect(await db('notification_mutes')).toEqual([]);
  });

  once('a notice about a removed comment can’t be turned off', async () => {
    const { anna } = await start();
    const body = { topic: 'moderation', muted: true };
    const { status } = await ask(anna, '/api/user/notifications/muted', 'POST', body);
    expect(status).toBe(400);
  });

  once('marking one or all as read holds on every device and for this member only', async () => {
    const { app, anna } = await start();
    const ben = await registered(app, 'ben');
    const [first, second] = [await made(anna), await made(anna)];
    await readAll(anna);
    for (const { id } of [first, second]) await comment(ben, id);
    const rows = await told(anna);
    const { id: notificationId, at: until } = rows[0]!;
    await mark(ben, { until });
    expect(await mark(anna, { notificationId, until })).toBe(1 + (await badgesUnread(anna)));
    const elsewhere = await signedIn(app, 'anna');
    expect((await told(elsewhere)).map(({ read }) => read).sort()).toEqual([false, true]);
    expect(await readAll(elsewhere)).toBe(0);
    expect(await unread(anna)).toBe(0);
  });

  once(
    'a comment that came after a list was shown stays unread, whether one or all notifications are marked',
    async () => {
      const { app, anna } = await start();
      const ben = await registered(app, 'ben');
      const { id } = await made(anna);
      await comment(ben, id);
      const [shown] = await told(anna);
      app.clock.set(testNow + 60_000);
      await comment(ben, id, 'And another');
      const { id: notificationId, at: until } = shown!;
      for (const body of [{ notificationId, until }, { until }]) {
        await mark(anna, body);
        expect(await told(anna)).toMatchObject([{ id: notificationId, read: false }]);
      }
      await mark(anna, { notificationId, until: new Date(testNow + 60_000).toISOString() });
      expect(await told(anna)).toMatchObject([{ read: true }]);
    },
  );

  const badgesUnread = async (member: Member) =>
    (await ask<NotificationPage>(member, '/api/user/notifications')).body.notifications.filter(
      ({ kind, read }) => kind === 'badge' && !read,
    ).length;

  once('the newest 200 notifications are shown in pages, and old ones are deleted after 180 days', async () => {
    const { db, app, anna } = await start();
    await readAll(anna);
    const rows = Array.from({ length: 230 }, (_, n) => ({
      ...{ user_id: anna.user.id, kind: 'moderation', subject: `c${n}`, poll_id: null },
      ...{ created_at: testNow + n, latest_at: testNow + n },
    }));
    await db.batchInsert('notifications', rows, 50);
    const { body } = await ask<NotificationPage>(anna, '/api/user/notifications?page=10');
    expect([body.total, body.unread, body.notifications.length]).toEqual([200, 200, 20]);
    expect(await unread(anna)).toBe(200);
    expect((await ask(anna, '/api/user/notifications?page=11')).status).toBe(400);
    await sweepNotifications(db, testNow + 180 * day + 100);
    expect(await db('notifications').where({ kind: 'moderation' })).toHaveLength(129);
    expect(app.clock.now()).toBe(testNow);
  });

  test('the notifications of a member with 100,000 of them are read from an index', async () => {
    const { db, anna, operator } = await start();
    await db.raw(
      `insert into notifications (user_id, kind, subject, created_at, latest_at)
       with recursive n (n) as (select 1 union all select n + 1 from n where n < 100000)
       select cast(? as varchar(40)), 'moderation', 'c' || n, n, n from n`,
      [anna.user.id],
    );
    const plans = await plansOf(db, async () => {
      expect((await notificationPage(operator, anna.user.id, 1)).total).toBe(200);
      expect(await unreadCount(operator, anna.user.id)).toBe(200);
    });
    expect(plans).toContain('notifications_of_member');
    expect(plans).not.toMatch(/SCAN n\b|Seq Scan on notifications\b/);
  }, 60_000);
});

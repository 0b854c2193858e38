import { expect, test } from 'vitest';
import type { Comment } from '#api/comments/comments.contract.ts';
import type { BodyOf, ResponseOf } from '#api/endpoints.contract.ts';
import type { NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { decide } from './actions.service.ts';
import { lifecycleTask } from '#api/polls/lifecycle/lifecycle.service.ts';
import { sweepExpired } from '#api/polls/lifecycle/sweep.service.ts';
import { pageData } from '#api/publishing/page-data/page-data.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts } from '#api/testing/discussions.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { silentLogger } from '#platform/logger.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';

const day = 86_400_000;
interface Answered<T> {
  readonly status: number;
  readonly body: T;
}

const pathOf = (pollId: string) => `/api/community-polls/${pollId}`;

async function operator<T>(app: TestApp, path: string, json?: object): Promise<Answered<T>> {
  const response = await app.fetch(path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      [adminPasswordHeader]: Buffer.from(testAdminPassword).toString('latin1'),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
}
const queueOf = async (app: TestApp, query = '') =>
  (await operator<ResponseOf<'reportQueue'>>(app, `/api/admin/reports?${query}`)).body;
const moderate = async (
  app: TestApp,
  body: Omit<BodyOf<'moderate'>, 'reason' | 'scope'> & Partial<BodyOf<'moderate'>>,
) => {
  const answer = await operator<ResponseOf<'moderate'>>(app, '/api/admin/moderation', {
    reason: 'Advertising',
    ...body,
  });
  expect([answer.status, body.action], JSON.stringify(answer.body)).toEqual([200, body.action]);
  return answer.body;
};
const reported = async (who: Visitor, path: string, json: object = {}) =>
  (await ask(who, `${path}/report`, 'POST', json)).status;
const commented = async (who: Member, pollId: string, content = 'Hello') => {
  const { status, body } = await ask<Comment>(who, `${pathOf(pollId)}/comments`, 'POST', { content });
  expect(status).toBe(201);
  return body;
};
const notices = async (who: Member) =>
  (await ask<NotificationPage>(who, '/api/user/notifications')).body.notifications.filter(
    ({ kind }) => kind === 'moderation' || kind === 'report',
  );
const decisions = async (who: Member) =>
  (await ask<ResponseOf<'moderationDecisions'>>(who, '/api/user/moderation')).body;

/** Everything a visitor can ask for, as one text. */
async function everywhere(app: TestApp, db: Database, pollId: string): Promise<string> {
  const reader = visitor(app);
  const paths = [
    ...['/api/community-polls?limit=50', '/api/community-polls/featured', pathOf(pollId), `${pathOf(pollId)}/comments`],
    ...['/api/search?q=watches', '/api/search/suggestions?q=watch', '/api/integrity'],
  ];
  const answers = await Promise.all(paths.map(async (path) => (await reader.fetch(path)).text()));
  const settings = { siteName: 'Weathervane', supportEmail: 'a@example.org', publicUrl: 'https://polls.example' };
  const data = pageData({ db, clock: app.clock, settings });
  const pages = await Promise.all([
    data.community(),
    data.sitemapBucket('community', 1),
    data.statistics(),
    data.interventions(),
  ]);
  return [...answers, JSON.stringify(pages)].join('\n');
}

async function expectExactFigures(db: Database): Promise<void> {
  await expectExactCommentCounts(db);
  expect((await reconcile(db)).wrongCounters).toEqual([]);
}

eachDatabase((open, _engine, once) => {
  async function start(config: { rateLimit?: boolean } = {}) {
    const { db } = await open();
    const app = await startTestApp(db, { config });
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    return { db, app, anna, ben };
  }

  test('a member reports a poll, a comment, and an author once each, and moderators see them in one list', async () => {
    const { app, anna, ben } = await start();
    const poll = await made(anna, { question: 'Cheap watches?' });
    const { id: commentId } = await commented(anna, poll.id, 'Buy watches');
    const comment = `${pathOf(poll.id)}/comments/${commentId}`;
    for (let times = 0; times < 2; times++) {
      expect(await reported(ben, pathOf(poll.id), { category: 'spam', reason: ' All of it. ' })).toBe(204);
      expect(await reported(ben, comment, { category: 'abuse' })).toBe(204);
      expect(await reported(ben, comment, { author: true })).toBe(204);
    }
    for (const wrong of [{ category: 'boring' }, { reason: 'a\0' }, { reason: 'x'.repeat(501) }])
      expect(await reported(ben, pathOf(poll.id), wrong)).toBe(400);
    expect((await ask(ben, '/api/community-polls/nothing/report', 'POST', {})).status).toBe(404);
    const { reported: list, total } = await queueOf(app);
    expect(total).toBe(3);
    const statusOf = async (page: number) => (await operator(app, `/api/admin/reports?page=${page}`)).status;
    expect([await statusOf(20), await statusOf(21)]).toEqual([200, 400]);
    const member = { id: anna.user.id, username: 'anna', suspended: false, suspendedUntil: null };
    expect(list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ kind: 'poll', id: poll.id, title: 'Cheap watches?', hidden: false, member, reports: 1 },
          reasons: [{ category: 'spam', reason: 'All of it.' }],
        }),
        expect.objectContaining({
          ...{ kind: 'comment', id: commentId, pollId: poll.id, text: 'Buy watches', member },
          reasons: [{ category: 'abuse', reason: null }],
        }),
        expect.objectContaining({
          kind: 'member',
          id: anna.user.id,
          title: 'anna',
          reasons: [{ category: 'other', reason: null }],
        }),
      ]),
    );
    const copy = (await ask<UserExport>(ben, '/api/user/export')).body;
    expect(copy.reports).toHaveLength(3);
    await moderate(app, { action: 'dismiss', kind: 'poll', ids: [poll.id] });
    expect((await queueOf(app)).total).toBe(2);
    expect(await queueOf(app, 'state=handled')).toMatchObject({
      total: 1,
      reported: [{ id: poll.id, hidden: false }],
    });
    expect(await notices(ben)).toMatchObject([{ kind: 'report', decision: { action: 'dismiss', kind: 'poll' } }]);
    expect(await notices(anna)).toEqual([]);
    // What was handled can be reported again.
    expect(await reported(ben, pathOf(poll.id), { category: 'abuse' })).toBe(204);
    expect((await queueOf(app)).reported.find(({ id }) => id === poll.id)).toMatchObject({
      ...{ reports: 1, reasons: [{ category: 'abuse', reason: null }] },
    });
  });

  once(
    'somebody without an account reports what they can open, and the address they leave is gone once it is decided',
    async () => {
      const { db, app, anna } = await start();
      const reader = visitor(app);
      const poll = await made(anna, { question: 'Cheap watches?' });
      const hidden = await made(anna, { visibility: 'private' });
      const { id: commentId } = await commented(anna, poll.id, 'Buy watches');
      const comment = `${pathOf(poll.id)}/comments/${commentId}`;
      expect(await reported(reader, pathOf(hidden.id))).toBe(401);
      expect(await reported(reader, pathOf(poll.id), { email: 'nobody' })).toBe(400);
      expect(await reported(reader, comment, { category: 'illegal', email: 'eve@xn--bcher-kva.example' })).toBe(204);
      expect(await reported(reader, pathOf(poll.id), { category: 'spam' })).toBe(204);
      // The address of a member is known.
      expect(await reported(anna, comment, { category: 'spam', email: 'anna@mail.example' })).toBe(204);
      const reasonsOf = async (id: string, query?: string) =>
        (await queueOf(app, query)).reported.find((one) => one.id === id)?.reasons;
      expect(await reasonsOf(poll.id)).toEqual([{ category: 'spam', reason: null, anonymous: true }]);
      expect(await reasonsOf(commentId)).toEqual([
        { category: 'spam', reason: null },
        { category: 'illegal', reason: null, anonymous: true, email: 'eve@bücher.example' },
      ]);
      await moderate(app, { action: 'hide', kind: 'comment', ids: [commentId] });
      expect(await reasonsOf(commentId, 'state=handled')).toContainEqual({
        ...{ category: 'illegal', reason: null, anonymous: true },
      });
      expect(await db('reports').whereNotNull('email')).toEqual([]);
    },
  );

  once('reports without an account are limited by address, and by what is reported', async () => {
    const { db, anna, app } = await start({ rateLimit: true });
    const poll = await made(anna);
    const from = (address: string) =>
      visitor(app).fetch(`${pathOf(poll.id)}/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{}',
      });
    const most = rateLimits.reportSignedOut.points;
    const statuses = [];
    for (let n = 0; n <= most; n++) statuses.push((await from('203.0.113.5')).status);
    expect(statuses).toEqual([...Array<number>(most).fill(204), 429]);
    for (let n = 0; n <= most; n++) await from(`198.51.100.${n}`);
    expect(await db('reports')).toHaveLength(20);
  });

  test('of more than 1,000 reported members, the newest 1,000 are listed, and the rest is not counted', async () => {
    const { db, app } = await start();
    const now = testNow;
    const all = Array.from({ length: 1_010 }, (_, n) => ({ id: `m${n}`, now: now + n }));
    await db.batchInsert(
      'users',
      all.map(({ id }) => ({ id, username: id, username_key: id, password: '', created_at: now, updated_at: now })),
      100,
    );
    for (const reporter of ['m0', 'm1'])
      await db.batchInsert(
        'reports',
        all.map(({ id, now }) => ({ user_id: reporter, kind: 'member', subject: id, member_id: id, created_at: now })),
        100,
      );
    await db.raw('analyze');
    const last = await queueOf(app, 'page=20');
    expect([last.total, last.reported.length]).toEqual([1_001, 50]);
    expect(last.reported.at(-1)).toMatchObject({ id: 'm10', reports: 2 });
  });

  test('a poll that was taken down is gone everywhere at once, and comes back as it was', async () => {
    const { db, app, anna, ben } = await start();
    const poll = await made(anna, {
      question: 'Cheap watches?',
      options: [
        { id: 'option-1', text: 'Golden watches', votes: 0 },
        { id: 'option-2', text: 'No watches', votes: 0 },
      ],
    });
    await commented(ben, poll.id, 'All watches are cheap');
    const voter = visitor(app);
    expect((await castVote(voter, poll.id)).status).toBe(200);
    await operator(app, `/api/admin/community-polls/${poll.id}/featured`, { featured: true });
    expect(await everywhere(app, db, poll.id)).toContain(poll.id);
    const before = await everywhere(app, db, poll.id);
    expect(await moderate(app, { action: 'hide', kind: 'poll', ids: [poll.id] })).toEqual({
      changed: 1,
      unchanged: 0,
      missing: 0,
    });
    expect(await everywhere(app, db, poll.id)).not.toMatch(/watches|[0-9a-z]{25}/);
    for (const who of [visitor(app), ben, voter]) {
      expect((await ask(who, pathOf(poll.id))).body.code).toBe('POLL_NOT_FOUND');
      const again = await castVote(who, poll.id);
      expect([again.status >= 400, JSON.stringify(again.body).includes('watches')]).toEqual([true, false]);
      expect((await ask(who, `${pathOf(poll.id)}/vote/status?fingerprint=${who.device}`)).status).toBe(404);
    }
    // The publisher removes its page.
    expect(await waitingPages(db).where({ key: poll.id, event: 'removed' })).toHaveLength(1);
    await expectExactFigures(db);
    // Only its creator still sees it, and may delete it.
    expect((await ask(anna, pathOf(poll.id))).body).toMatchObject({ takenDown: true, visibility: 'public' });
    expect((await ask(anna, `${pathOf(poll.id)}/comments`, 'POST', { content: 'Why?' })).status).toBe(403);
    expect(await notices(anna)).toMatchObject([{ decision: { action: 'hide', kind: 'poll' }, reason: 'Advertising' }]);
    expect(await moderate(app, { action: 'hide', kind: 'poll', ids: [poll.id] })).toMatchObject({ unchanged: 1 });

    expect(await moderate(app, { action: 'show', kind: 'poll', ids: [poll.id] })).toMatchObject({ changed: 1 });
    expect(await everywhere(app, db, poll.id)).toBe(before);
    expect((await castVote(ben, poll.id)).status).toBe(200);
    await expectExactFigures(db);
  });

  once('the guests of a private poll that was taken down no longer see it', async () => {
    const { app, anna, ben } = await start();
    const poll = await made(anna, { visibility: 'private' });
    await invited(anna, poll.id, 'ben');
    expect((await ask(ben, pathOf(poll.id))).status).toBe(200);
    const invitedTo = async () =>
      (await ask<{ id: string }[]>(ben, '/api/community-polls?visibility=invited')).body.map(({ id }) => id);
    expect(await invitedTo()).toEqual([poll.id]);
    await moderate(app, { action: 'hide', kind: 'poll', ids: [poll.id] });
    expect((await ask(ben, pathOf(poll.id))).status).toBe(404);
    expect(await invitedTo()).toEqual([]);
    await moderate(app, { action: 'close', kind: 'poll', ids: [poll.id] });
    await moderate(app, { action: 'show', kind: 'poll', ids: [poll.id] });
    expect((await ask(ben, pathOf(poll.id))).body).toMatchObject({ visibility: 'private', isActive: false });
    await moderate(app, { action: 'delete', kind: 'poll', ids: [poll.id] });
    expect((await ask(anna, pathOf(poll.id))).status).toBe(404);
    expect((await decisions(anna)).decisions.map(({ action }) => action)).toEqual(['delete', 'show', 'close', 'hide']);
  });

  once(
    'a suspended member takes part nowhere, on no device, but reads why, appeals, exports, and deletes',
    async () => {
      const { db, app, anna, ben } = await start();
      const laptop = await signedIn(app, 'anna');
      const [own, other] = [await made(anna), await made(ben)];
      // As many code points as a comment may have, in few characters.
      const long = '👩‍👩‍👧‍👦'.repeat(71);
      const [hidden, shown] = [await commented(anna, other.id, long), await commented(anna, other.id, 'Kind')];
      await moderate(app, { action: 'hide', kind: 'comment', ids: [hidden.id] });
      await reported(ben, `${pathOf(other.id)}/comments/${shown.id}`, { category: 'spam' });
      await moderate(app, { action: 'suspend', kind: 'comment', ids: [shown.id], reason: 'Forty advertisements' });
      expect((await queueOf(app)).total).toBe(0);
      expect(await notices(ben)).toMatchObject([{ kind: 'report', decision: { action: 'suspend' } }]);
      for (const who of [anna, laptop]) {
        const refused = [
          await ask(who, '/api/community-polls', 'POST', { ...own, question: 'Another?' }),
          await ask(who, `${pathOf(other.id)}/comments`, 'POST', { content: 'Hello' }),
          await castVote(who, other.id),
          await ask(who, `${pathOf(other.id)}/report`, 'POST', {}),
          await ask(who, `${pathOf(own.id)}/close`, 'POST'),
          await ask(who, '/api/user/picture', 'POST', {}),
        ];
        expect(refused.map(({ body }) => body.code)).toEqual(Array(6).fill('ACCOUNT_SUSPENDED'));
      }
      expect((await ask(ben, pathOf(own.id))).status).toBe(404);
      expect((await ask<Comment[]>(ben, `${pathOf(other.id)}/comments`)).body).toEqual([]);
      await expectExactFigures(db);

      const again = await signedIn(app, 'anna');
      expect(await decisions(again)).toMatchObject({
        ...{ suspended: true, suspendedUntil: null },
        decisions: [
          { action: 'suspend', reason: 'Forty advertisements', mayAppeal: true },
          { action: 'hide', kind: 'comment' },
        ],
      });
      expect((await ask(again, '/api/user')).body).toMatchObject({ suspended: true });
      expect((await ask(ben, '/api/user')).body).not.toHaveProperty('suspended');
      const copy = (await ask<UserExport>(again, '/api/user/export')).body;
      expect([copy.polls.length, copy.comments.length, copy.decisions.length]).toEqual([1, 2, 2]);
      expect((await ask(again, `${pathOf(other.id)}/comments/${shown.id}`, 'DELETE')).status).toBe(204);
      const third = await commented(ben, other.id);
      await moderate(app, { action: 'lift', kind: 'member', ids: [anna.user.id] });
      // What a moderator hid stays hidden.
      expect((await ask<Comment[]>(ben, `${pathOf(other.id)}/comments`)).body.map(({ id }) => id)).toEqual([third.id]);
      expect((await ask(ben, pathOf(own.id))).status).toBe(200);
      expect((await castVote(laptop, other.id)).status).toBe(200);
      await expectExactFigures(db);

      await moderate(app, { action: 'suspend', kind: 'member', ids: [anna.user.id] });
      const json = { username: 'anna', password: 'correct horse battery' };
      expect((await ask(again, '/api/user', 'DELETE', json)).status).toBe(204);
      const log = await db('moderation_actions').select('label', 'member_id').where({ action: 'suspend' });
      expect(log).toEqual(Array(2).fill({ label: null, member_id: null }));
    },
  );

  once('a suspension ends at its time, and what is posted while it begins is hidden with the rest', async () => {
    const { db, app, anna, ben } = await start();
    const poll = await made(ben);
    const posts = Array.from({ length: 8 }, (_, n) =>
      n % 2 === 0
        ? ask(anna, `${pathOf(poll.id)}/comments`, 'POST', { content: `Comment ${n}` })
        : ask(anna, '/api/community-polls', 'POST', { ...poll, question: `Poll ${n}?` }),
    );
    await Promise.all([moderate(app, { action: 'suspend', kind: 'member', ids: [anna.user.id], days: 7 }), ...posts]);
    expect((await ask<Comment[]>(ben, `${pathOf(poll.id)}/comments`)).body).toEqual([]);
    expect((await ask<{ id: string }[]>(ben, '/api/community-polls')).body.map(({ id }) => id)).toEqual([poll.id]);
    expect(await decisions(anna)).toMatchObject({ suspendedUntil: new Date(testNow + 7 * day).toISOString() });
    const tick = lifecycleTask({ db, clock: app.clock, log: silentLogger });
    app.clock.set(testNow + 7 * day - 1);
    await tick();
    // The end of a suspension that was extended since it was read.
    const lift = { action: 'lift', actor: 'system', reason: 'Ended' } as const;
    expect(await decide({ db, clock: app.clock }, { kind: 'member', id: anna.user.id }, lift)).toBe('unchanged');
    expect((await decisions(anna)).suspended).toBe(true);
    app.clock.set(testNow + 7 * day);
    expect((await ask(anna, '/api/user')).body).not.toHaveProperty('suspended');
    expect((await ask(anna, `${pathOf(poll.id)}/comments`, 'POST', { content: 'Back' })).status).toBe(201);
    await tick();
    await tick();
    expect((await decisions(anna)).decisions.map(({ action }) => action)).toEqual(['lift', 'suspend']);
    expect(await db('comments').where({ hidden: true })).toEqual([]);
    expect(await db('community_polls').whereNotNull('taken_down_by')).toEqual([]);
    await expectExactFigures(db);
  });

  test('everything by a member, or from a network, is hidden in one step', async () => {
    const { db, app, anna, ben } = await start();
    const from = (who: Member, address: string): Member => ({
      ...who,
      fetch: (path, init = {}) => {
        const headers = { ...(init.headers as Record<string, string> | undefined), 'x-forwarded-for': address };
        return who.fetch(path, { ...init, headers });
      },
    });
    const carla = await registered(app, 'carla');
    const [spamA, spamB] = [from(anna, '203.0.113.5'), from(ben, '203.0.113.5')];
    const elsewhere = from(carla, '203.0.113.77');
    const kept = await made(elsewhere);
    const spam = [await made(spamA), await made(spamA), await made(spamB)];
    await commented(spamB, kept.id, 'Watches');
    const [first] = spam;
    const scope = await operator(app, `/api/admin/moderation/scope?kind=poll&id=${first!.id}`);
    expect(scope.body).toEqual({
      member: { members: 1, polls: 2, comments: 0 },
      network: { members: 2, polls: 3, comments: 1 },
    });
    expect(await moderate(app, { action: 'hide', kind: 'poll', ids: [first!.id], scope: 'member' })).toMatchObject({
      changed: 2,
    });
    expect(await moderate(app, { action: 'hide', kind: 'poll', ids: [first!.id], scope: 'network' })).toMatchObject({
      changed: 2,
      unchanged: 1,
    });
    expect((await ask<{ id: string }[]>(carla, '/api/community-polls')).body.map(({ id }) => id)).toEqual([kept.id]);
    expect((await ask<Comment[]>(carla, `${pathOf(kept.id)}/comments`)).body).toEqual([]);
    expect(await moderate(app, { action: 'suspend', kind: 'poll', ids: [first!.id], scope: 'network' })).toMatchObject({
      changed: 2,
    });
    expect((await decisions(ben)).suspended).toBe(true);
    expect((await decisions(carla)).suspended).toBe(false);
    expect(await db('content_origins')).toHaveLength(5);
    app.clock.set(testNow + 31 * day);
    await sweepExpired({ db, clock: app.clock });
    expect(await db('content_origins')).toEqual([]);
  });

  once('a member appeals a decision once, and a moderator grants or refuses it', async () => {
    const { db, app, anna, ben } = await start();
    const [poll, other] = [await made(anna), await made(anna, { question: 'Another?' })];
    await moderate(app, { action: 'hide', kind: 'poll', ids: [poll.id, other.id] });
    const [second, first] = (await decisions(anna)).decisions;
    const appeal = async (who: Member, id: number | string, text = 'I sell nothing.') =>
      (await ask(who, `/api/user/moderation/${id}/appeal`, 'POST', { text })).status;
    const answer = async (id: number, granted: boolean) =>
      (await operator(app, `/api/admin/moderation/${id}/appeal`, { granted, reason: 'Looked again' })).status;
    expect(await answer(first!.id, true)).toBe(404);
    expect([await appeal(ben, first!.id), await appeal(anna, 'x'), await appeal(anna, first!.id, ' ')]).toEqual([
      404, 404, 400,
    ]);
    const both = await Promise.all([appeal(anna, first!.id), appeal(anna, first!.id, 'Twice')]);
    expect(both.sort()).toEqual([204, 409]);
    expect(await appeal(anna, second!.id)).toBe(204);
    expect((await queueOf(app)).appeals).toMatchObject([{ id: first!.id, member: 'anna' }, { id: second!.id }]);
    const granted = await Promise.all([answer(first!.id, true), answer(first!.id, true)]);
    expect(granted.sort()).toEqual([204, 409]);
    expect(await answer(second!.id, false)).toBe(204);
    expect([(await ask(ben, pathOf(poll.id))).status, (await ask(ben, pathOf(other.id))).status]).toEqual([200, 404]);
    expect((await queueOf(app)).appeals).toEqual([]);
    expect((await decisions(anna)).decisions).toMatchObject([
      { action: 'show' },
      { granted: false, decisionReason: 'Looked again', endedAt: null, mayAppeal: false },
      { granted: true, appeal: expect.any(String) as string, endedAt: new Date(testNow).toISOString() },
    ]);
    expect((await notices(anna)).map(({ decision }) => decision?.granted)).toContain(true);
    const log = await operator<ResponseOf<'moderationLog'>>(app, '/api/admin/moderation?page=1');
    expect(log.body).toMatchObject({
      total: 3,
      entries: [{ actor: 'operator', action: 'show', member: 'anna' }, {}, {}],
    });
    await moderate(app, { action: 'suspend', kind: 'member', ids: [anna.user.id] });
    await db('moderation_actions').update({ created_at: testNow - 366 * day });
    await sweepExpired({ db, clock: app.clock });
    // A suspension in effect stays.
    expect(await db('moderation_actions').pluck('action')).toEqual(['suspend']);
    await moderate(app, { action: 'lift', kind: 'member', ids: [anna.user.id] });
    await db('moderation_actions').update({ created_at: testNow - 366 * day });
    await sweepExpired({ db, clock: app.clock });
    expect(await db('moderation_actions')).toEqual([]);
  });

  once('an action that doesn’t fit what is selected, or has no reason, changes nothing', async () => {
    const { db, app, anna } = await start();
    const { id } = await made(anna);
    const send = async (json: object) => (await operator(app, '/api/admin/moderation', json)).status;
    const good = { action: 'hide', kind: 'poll', ids: [id], reason: 'Spam' };
    const wrong = [
      ...[
        { ...good, reason: ' ' },
        { ...good, ids: [] },
        { ...good, days: 3 },
        { ...good, action: 'scold' },
      ],
      ...[
        { ...good, kind: 'member', ids: [anna.user.id] },
        { ...good, kind: 'comment', action: 'close' },
      ],
      { ...good, action: 'suspend', days: 0 },
    ];
    for (const one of wrong) expect([await send(one), one]).toEqual([400, one]);
    expect(await moderate(app, { action: 'hide', kind: 'poll', ids: ['nothing'] })).toMatchObject({ missing: 1 });
    expect(await db('moderation_actions')).toEqual([]);
  });
});

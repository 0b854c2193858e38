import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { sweepIdempotencyKeys } from '#platform/idempotency.ts';
import { newPoll } from '#api/testing/community-polls.ts';
import { eventsOf } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts } from '#api/testing/discussions.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const key = '3f2b8c1d-aaaa-bbbb-cccc-0123456789ab';
const week = 7 * 86_400_000;

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    return { db, app, anna: await registered(app, 'anna') };
  }
  const send = async (member: Member, path: string, json: unknown, idempotencyKey: string) => {
    const headers = { 'idempotency-key': idempotencyKey };
    const response = await member.fetch(path, { method: 'POST', json, headers });
    return {
      status: response.status,
      body: (await response.json()) as Pick<CommunityPoll, 'id' | 'isActive'> & ErrorBody,
    };
  };
  const createPoll = (member: Member, more: object = {}, itsKey = key) =>
    send(member, '/api/community-polls', { ...newPoll, ...more }, itsKey);
  const comment = (member: Member, pollId: string, content: string, itsKey = key) =>
    send(member, `/api/community-polls/${pollId}/comments`, { content }, itsKey);

  test('a request repeated with its key gets the first result and creates nothing new', async () => {
    const { db, anna } = await start();
    const poll = await createPoll(anna);
    expect(poll.status).toBe(201);
    expect(await createPoll(anna)).toEqual(poll);
    const written = await comment(anna, poll.body.id, 'First!', `${key}-comment`);
    expect(written.status).toBe(201);
    expect(await comment(anna, poll.body.id, ' First! ', `${key}-comment`)).toEqual(written);
    expect(await db('community_polls').pluck('id')).toEqual([poll.body.id]);
    expect(await db('comments').pluck('id')).toEqual([written.body.id]);
    await expectExactCounters(db);
    await expectExactCommentCounts(db);
  });

  test('twenty concurrent requests with one key create one poll, and one comment', async () => {
    const { db, anna } = await start();
    const twenty = Array.from({ length: 20 });
    const polls = await Promise.all(twenty.map(() => createPoll(anna)));
    expect(new Set(polls.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const id = polls[0]!.body.id;
    expect(await db('ballots').pluck('id')).toEqual([id]);
    const comments = await Promise.all(twenty.map(() => comment(anna, id, 'First!', `${key}-comment`)));
    expect(new Set(comments.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await db('comments').pluck('id')).toEqual([comments[0]!.body.id]);
    expect(await eventsOf(db, anna.user.id, 'comment.posted')).toHaveLength(1);
    await expectExactCounters(db);
    await expectExactCommentCounts(db);
  });

  once('a key reused with other contents or for another endpoint is refused and changes nothing', async () => {
    const { db, anna } = await start();
    const { body: poll } = await createPoll(anna);
    for (const refused of [await createPoll(anna, { question: 'Tea or cocoa?' }), await comment(anna, poll.id, 'Hm')]) {
      expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(refused.body.message).toMatch(/^An earlier version of this was already saved\./);
    }
    expect(await db('community_polls').pluck('question')).toEqual(['Tea or coffee?']);
    expect(await db('comments')).toEqual([]);
  });

  once('another key, or the same key of another member, creates another poll', async () => {
    const { db, app, anna } = await start();
    const ben = await registered(app, 'ben');
    const made = [await createPoll(anna), await createPoll(anna, {}, `${key}-2`), await createPoll(ben)];
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(3);
    expect(await db('community_polls')).toHaveLength(3);
  });

  once('a refused request leaves its key unused, so that the corrected one succeeds', async () => {
    const { anna } = await start();
    expect((await createPoll(anna, { question: ' ' })).status).toBe(400);
    expect((await createPoll(anna, { endsAt: new Date(testNow).toISOString() })).status).toBe(400);
    expect((await createPoll(anna)).status).toBe(201);
    expect((await comment(anna, 'nowhere', 'Hm', `${key}-comment`)).status).toBe(404);
  });

  once('a repeated request is answered even if the poll could no longer be created, or was deleted', async () => {
    const { app, anna } = await start();
    const short = { endsAt: new Date(testNow + 60_000).toISOString() };
    const { body: poll } = await createPoll(anna, short);
    app.clock.set(testNow + 120_000);
    const again = await createPoll(anna, short);
    expect([again.status, again.body.id, again.body.isActive]).toEqual([201, poll.id, false]);
    await anna.fetch(`/api/community-polls/${poll.id}`, { method: 'DELETE' });
    const gone = await createPoll(anna, short);
    expect([gone.status, gone.body.code]).toEqual([404, 'POLL_NOT_FOUND']);
  });

  once('a malformed key is refused', async () => {
    const { db, anna } = await start();
    for (const wrong of ['short', 'x'.repeat(65), `${key} ${key}`, `${key}"`]) {
      const { status, body } = await createPoll(anna, {}, wrong);
      expect([wrong, status, body.code]).toEqual([wrong, 400, 'BAD_REQUEST']);
    }
    expect(await db('community_polls')).toEqual([]);
  });

  test('keys are stored for seven days, and deleted with their account', async () => {
    const { db, app, anna } = await start();
    await createPoll(anna);
    app.clock.set(testNow + 1);
    await createPoll(await registered(app, 'ben'));
    await sweepIdempotencyKeys(db, testNow + week);
    expect(await db('idempotency_keys').pluck('expires_at')).toEqual([testNow + 1 + week]);
    await db('users').where({ username: 'ben' }).delete();
    expect(await db('idempotency_keys')).toEqual([]);
  });
});

import { hash, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { CommunityPoll, VoteStatus } from './community-polls.contract.ts';
import type { Statistics } from '#api/polls/polls.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';

const isPoll = compileSchema<CommunityPoll>(endpoints.communityPoll.response, 'json');
const isVotedPoll = compileSchema<CommunityPoll>(endpoints.communityVote.response, 'json');
const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();
const newDevice = () => `device_${randomUUID().replaceAll('-', '')}`;

/** Number of answers by status. */
function statuses(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    app = await startTestApp(db, options);
    const anna = await registered(app, 'anna');
    const exact = async (votes: number) => {
      expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: votes });
      await expectExactCounters(db);
    };
    return { db, app, anna, exact };
  }
  const statusOf = async (browser: Visitor, id: string, fingerprint = browser.device) =>
    (await ask<VoteStatus>(browser, `/api/community-polls/${id}/vote/status?fingerprint=${fingerprint}`)).body;

  test('[S7.23 D2.13] a vote counts, and the answer is the poll with its counts and the voter’s choice', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna);
    const ben = visitor(app);
    const { status, body, headers } = await castVote(ben, id, 'option-2');
    expect(status).toBe(200);
    expect(isVotedPoll(body), JSON.stringify(isVotedPoll.errors)).toBe(true);
    expect(body).toMatchObject({ totalVotes: 1, hasVoted: true, userVote: 'option-2', isMine: false });
    expect(body.options.map(({ votes }) => votes)).toEqual([0, 1]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie().join()).toMatch(/^wv_voter=.*httponly; samesite=lax/i);
    const { body: seen } = await ask<CommunityPoll>(ben, `/api/community-polls/${id}`);
    const { receipt, promise, ...poll } = body;
    // There is no site-wide log yet.
    expect(promise).toBeNull();
    expect(receipt).toMatch(/^(\w{4}-){6}\w{4}$/);
    expect(seen).toEqual(poll);
    await exact(1);
  });

  once('[D6.16] all options of a community poll can be voted for, beyond the third, too', async () => {
    const { app, anna } = await start();
    const options = Array.from({ length: 10 }, (_, n) => ({ id: `option-${n + 1}`, text: `Answer ${n + 1}` }));
    const { id } = await made(anna, { options });
    for (const { id: optionId } of options) expect((await castVote(visitor(app), id, optionId)).status).toBe(200);
    const { body } = await castVote(visitor(app), id, 'option-10');
    expect(body.options.map(({ votes }) => votes)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    expect(body.totalVotes).toBe(11);
  });

  test('[S4.8 D2.4] a second vote is refused with the recorded choice and the poll, by device, browser, and account', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna);
    const ben = await registered(app, 'ben');
    await castVote(ben, id, 'option-2');
    const sameDevice = { ...visitor(app), device: ben.device };
    const sameBrowser = visitor(app);
    sameBrowser.cookies.set('wv_voter', ben.cookies.get('wv_voter') ?? '');
    const sameAccount = await signedIn(app, 'ben');
    for (const browser of [ben, sameDevice, sameBrowser, sameAccount]) {
      const { status, body } = await castVote(browser, id, 'option-1');
      expect([status, body.code, body.userVote]).toEqual([409, 'ALREADY_VOTED', 'option-2']);
      expect(isPoll(body.poll)).toBe(true);
      expect(body.poll).toMatchObject({ hasVoted: true, userVote: 'option-2', options: [{ votes: 0 }, { votes: 1 }] });
    }
    expect((await castVote(visitor(app), id)).status).toBe(200);
    await exact(2);
  });

  once('[S5.6 D2.8 D2.10] a vote that can’t count is refused with the reason', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna, { endsAt: iso(testNow + 2 * day) });
    const later = await made(anna, { startsAt: iso(testNow + day) });
    const weekly = 'no-community-poll';
    const refusal = async (poll: string, body: object) => {
      const answer = await ask(visitor(app), `/api/community-polls/${poll}/vote`, 'POST', body);
      expect(answer.headers.getSetCookie()).toEqual([]);
      return [answer.status, answer.body.code];
    };
    const voterFingerprint = newDevice();
    expect(await refusal(weekly, { optionId: 'option-1', voterFingerprint })).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('no.id', { optionId: 'option-1', voterFingerprint })).toEqual([404, 'POLL_NOT_FOUND']);
    for (const wrong of [undefined, null, '', 'device_short', 7, { $ne: '' }, `${voterFingerprint}\0`])
      expect(await refusal(id, { optionId: 'option-1', voterFingerprint: wrong })).toEqual([400, 'DEVICE_ID_REQUIRED']);
    for (const wrong of ['option-3', 'option-1 ', 'OPTION-1', 'o\0', '\ud800'])
      expect(await refusal(id, { optionId: wrong, voterFingerprint })).toEqual([400, 'INVALID_OPTION']);
    for (const wrong of [undefined, '', 7, null])
      expect(await refusal(id, { optionId: wrong, voterFingerprint })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refusal(later.id, { optionId: 'option-1', voterFingerprint })).toEqual([409, 'POLL_NOT_STARTED']);
    app.clock.set(testNow + 2 * day);
    expect(await refusal(id, { optionId: 'option-1', voterFingerprint })).toEqual([409, 'POLL_CLOSED']);
    expect(await refusal(later.id, { optionId: 'option-9', voterFingerprint })).toEqual([400, 'INVALID_OPTION']);
    await exact(0);
  });

  once('the endpoint of weekly polls accepts no votes on community polls, nor vice versa', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna, { visibility: 'unlisted' });
    const { status, body } = await ask(visitor(app), `/api/polls/${id}/vote`, 'POST', { optionId: 'option-1' });
    expect([status, body.code]).toEqual([404, 'POLL_NOT_FOUND']);
    await exact(0);
  });

  test('[S7.22] the vote status shows what this device, browser, or account recorded', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    const ben = await registered(app, 'ben');
    expect(await statusOf(ben, id)).toEqual({ hasVoted: false });
    await castVote(ben, id, 'option-2');
    const recorded = { hasVoted: true, optionId: 'option-2' };
    expect(await statusOf(ben, id)).toEqual(recorded);
    expect(await statusOf(ben, id, newDevice())).toEqual(recorded);
    expect(await statusOf(visitor(app), id, ben.device)).toEqual(recorded);
    expect(await statusOf(await signedIn(app, 'ben'), id)).toEqual(recorded);
    expect(await statusOf(visitor(app), id)).toEqual({ hasVoted: false });
    expect(await statusOf(anna, id)).toEqual({ hasVoted: false });
  });

  once('[S7.22] the vote status requires a device id', async () => {
    const { anna } = await start();
    const { id } = await made(anna);
    for (const query of ['', '?fingerprint=', '?fingerprint=device_x', '?fingerprint=a&fingerprint=b']) {
      const { status, body } = await ask(anna, `/api/community-polls/${id}/vote/status${query}`);
      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'VALIDATION_FAILED', 'fingerprint']);
    }
  });

  once('a visitor gets the same answer about a private poll for every device id', async () => {
    const { app, anna } = await start();
    const ben = await registered(app, 'ben');
    const { id } = await made(anna, { visibility: 'private' });
    await castVote(anna, id);
    for (const device of [anna.device, newDevice()]) {
      const path = `/api/community-polls/${id}/vote/status?fingerprint=${device}`;
      expect((await ask(visitor(app), path)).body.code).toBe('PRIVATE_POLL_AUTH_REQUIRED');
      expect((await ask(ben, path)).body.code).toBe('PRIVATE_POLL_ACCESS_DENIED');
    }
  });

  test('a private poll stored by the previous release counts toward no total, even when it is deleted', async () => {
    const { db, app, anna, exact } = await start();
    const { id } = await made(anna, { visibility: 'private' });
    await castVote(visitor(app), (await made(anna)).id);
    await db('ballots').where({ id }).update({ in_totals: true });
    const figures = async () => (await ask<Statistics>(anna, '/api/statistics?v=2&t=1')).body;
    const { wrongCounters } = await reconcile(db);
    expect(wrongCounters.map(({ counter }) => counter)).toEqual([`ballot ${id} in the totals`]);
    expect((await castVote(anna, id)).status).toBe(200);
    expect(await figures()).toMatchObject({ totalVotes: 1, totalPolls: 1 });
    expect((await ask(anna, `/api/community-polls/${id}`, 'DELETE')).status).toBe(204);
    expect(await figures()).toMatchObject({ totalVotes: 1, totalPolls: 1 });
    await exact(1);
  });

  test('[D3.1] votes on unlisted and private polls don’t count in the headline figures; their voters are participants', async () => {
    const { app, anna, exact } = await start();
    for (const visibility of ['unlisted', 'private'] as const)
      await castVote(anna, (await made(anna, { visibility })).id);
    await castVote(visitor(app), (await made(anna)).id);
    const { body } = await ask(anna, '/api/statistics?v=2&t=1');
    expect(body).toEqual({ totalVotes: 1, importedVotes: 0, totalParticipants: 2, totalPolls: 1 });
    await exact(3);
  });

  once('[D2.5] 200 parallel votes of one device count once', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna);
    const device = newDevice();
    const answers = await Promise.all(Array.from({ length: 200 }, () => castVote({ ...visitor(app), device }, id)));
    expect(statuses(answers)).toEqual({ 200: 1, 409: 199 });
    await exact(1);
  });

  once('[D2.7] 100 parallel votes of one member from 100 devices count once', async () => {
    const { app, anna, exact } = await start();
    const { id } = await made(anna, { visibility: 'private' });
    const session = new Map(anna.cookies);
    const devices = Array.from({ length: 100 }, () => {
      const browser = visitor(app);
      for (const [name, value] of session) browser.cookies.set(name, value);
      return browser;
    });
    const answers = await Promise.all(devices.map((browser) => castVote(browser, id)));
    expect(statuses(answers)).toEqual({ 200: 1, 409: 99 });
    await exact(1);
  });

  once('a removed guest can no longer vote; a vote already cast stays counted', async () => {
    const { app, anna, exact } = await start();
    const [ben, cleo] = [await registered(app, 'ben'), await registered(app, 'cleo')];
    const { id } = await made(anna, { visibility: 'private' });
    await invited(anna, id, 'ben');
    await invited(anna, id, 'cleo');
    await castVote(ben, id);
    for (const guest of [ben, cleo]) await ask(anna, `/api/community-polls/${id}/invites/${guest.user.id}`, 'DELETE');
    for (const guest of [ben, cleo]) {
      const { status, body } = await castVote(guest, id);
      expect([status, body.code]).toEqual([403, 'PRIVATE_POLL_ACCESS_DENIED']);
      expect(body.poll).toBeUndefined();
    }
    expect((await castVote(anna, id)).body.totalVotes).toBe(2);
    await exact(2);
  });

  once('[S1.2 D2.3 D2.19] no answer contains a device id or its digest', async () => {
    const { anna } = await start();
    const { id } = await made(anna);
    const answers = [await castVote(anna, id), await castVote(anna, id), await ask(anna, `/api/community-polls/${id}`)];
    for (const answer of answers) {
      const text = JSON.stringify([answer.body, [...answer.headers]]);
      expect(text).not.toContain(anna.device);
      expect(text).not.toContain(hash('sha256', anna.device, 'base64url'));
    }
  });

  test('[D2.3] a device id never reaches the log, not even when the database fails', async () => {
    let lines = '';
    const write = (line: Buffer, _: unknown, done: () => void) => {
      lines += line.toString();
      done();
    };
    const { db, anna } = await start({ log: pino({ level: 'trace' }, new Writable({ write })) });
    const { id } = await made(anna);
    await castVote(anna, id);
    await db.raw('alter table votes rename to elsewhere');
    const path = `/api/community-polls/${id}/vote/status?fingerprint=${anna.device}`;
    expect((await ask(anna, path)).status).toBe(500);
    expect((await ask(anna, `/api/community-polls/${id}`)).status).toBe(500);
    expect(lines).toContain('/vote/status');
    for (const secret of [anna.device, hash('sha256', anna.device, 'base64url')]) expect(lines).not.toContain(secret);
  });

  once('[D2.14] a flood of votes from one address is refused with the time to wait', async () => {
    const { app, anna } = await start({ config: { rateLimit: true } });
    const { id } = await made(anna);
    const answers = await Promise.all(
      Array.from({ length: rateLimits.vote.points + 1 }, () => castVote(visitor(app), id)),
    );
    expect(statuses(answers)).toEqual({ 200: rateLimits.vote.points, 429: 1 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('RATE_LIMITED');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

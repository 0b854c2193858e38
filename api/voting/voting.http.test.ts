import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { compileSchema } from '#platform/validation.ts';
import { errorBodySchema } from '#contract/error-codes.ts';
import { pollSchema, votedPollSchema } from '#api/polls/polls.contract.ts';
import type { Poll, Statistics } from '#api/polls/polls.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import type { Database } from '#platform/database.ts';
import { openDatabase } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { reconcile } from './reconcile.service.ts';
import { countArchive } from '#api/polls/archive-counters.service.ts';
import { closing as closed } from './ballots.service.ts';

const isPoll = compileSchema<Poll>(pollSchema, 'json');
const isVotedPoll = compileSchema<Poll>(votedPollSchema, 'json');
const isError = compileSchema<object>(errorBodySchema, 'json');

const newDevice = () => `device_${randomUUID().replaceAll('-', '')}`;

interface Answer {
  readonly status: number;
  readonly body: Poll & {
    statistics?: Statistics;
    receipt?: string;
    promise?: unknown;
    code?: string;
    userVote: string | null;
    poll?: Poll;
  };
  /** The voter cookie as a browser would send it back, or undefined when none was set. */
  readonly cookie: string | undefined;
  readonly headers: Headers;
}

/** Casts one vote the way a browser does. */
async function vote(
  app: TestApp,
  poll: string,
  option: unknown,
  from: { device?: string | null; cookie?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const device = from.device === undefined ? newDevice() : from.device;
  const response = await app.fetch(`/api/polls/${poll}/vote`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(device !== null && { 'x-device-id': device }),
      ...(from.cookie !== undefined && { cookie: from.cookie }),
      ...from.headers,
    },
    body: JSON.stringify({ optionId: option }),
  });
  const set = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return {
    status: response.status,
    body: (await response.json()) as Answer['body'],
    cookie: set.length > 0 ? set.join('; ') : undefined,
    headers: response.headers,
  };
}

/** The number of responses per status. */
function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function expectExactCounters(db: Database, recorded: number) {
  expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: recorded });
}

const headline = async (db: Database) =>
  db('statistics')
    .sum({ votes: 'total_votes', participants: 'total_participants' })
    .first()
    .then((row) => ({
      votes: Number(row?.votes),
      participants: Number(row?.participants),
    }));

eachDatabase((open, _engine, once) => {
  async function start(
    seeds: Parameters<typeof seedPolls>[1] = [{ id: 'p', votes: [2, 1, 0, 0] }],
    options: Parameters<typeof startTestApp>[1] = {},
  ) {
    const { db, url } = await open();
    await seedPolls(db, seeds);
    const app = await startTestApp(db, options);
    return { db, url, app };
  }

  test('[S1.1 S3.7 S7.12 D2.13] a vote is counted once, and the response is the poll and the headline figures including it', async () => {
    const { db, app } = await start();
    const device = newDevice();
    const { status, body } = await vote(app, 'p', 'o2', { device });
    expect(status).toBe(200);
    expect(isVotedPoll(body), JSON.stringify(isVotedPoll.errors)).toBe(true);
    expect(body).toMatchObject({ totalVotes: 4, hasVoted: true, userVote: 'o2', isActive: true, closedAt: null });
    expect(body.options.map(({ votes }) => votes)).toEqual([2, 2, 0, 0]);
    const asked = await app.fetch('/api/polls/p', { headers: { 'x-device-id': device } });
    const { statistics, receipt, promise, ...poll } = body;
    expect(promise).toBeNull();
    expect(receipt).toMatch(/^(\w{4}-){6}\w{4}$/);
    expect(await asked.json()).toEqual(poll);
    expect(await (await app.fetch('/api/statistics')).json()).toEqual(statistics);
    expect(statistics).toMatchObject({ totalVotes: 4, totalParticipants: 1 });
    await expectExactCounters(db, 1);
  });

  once('[S1.8 S3.3 S7.10] open polls show a device its own vote and not that of another', async () => {
    const { app } = await start([{ id: 'p' }, { id: 'q' }]);
    const device = newDevice();
    await vote(app, 'p', 'o2', { device });
    const seenBy = async (asking: string) => {
      const answer = await app.fetch('/api/polls/active?v=2&t=1', { headers: { 'x-device-id': asking } });
      const polls = (await answer.json()) as Poll[];
      return Object.fromEntries(polls.map(({ id, hasVoted, userVote }) => [id, [hasVoted, userVote]]));
    };
    expect(await seenBy(device)).toEqual({ p: [true, 'o2'], q: [false, null] });
    expect(await seenBy(newDevice())).toEqual({ p: [false, null], q: [false, null] });
  });

  test('[S1.8 S3.3 D2.4] a second vote is refused with the choice that was recorded', async () => {
    const { db, app } = await start();
    const device = newDevice();
    await vote(app, 'p', 'o2', { device });
    const { status, body } = await vote(app, 'p', 'o1', { device });
    expect(status).toBe(409);
    expect(isError(body)).toBe(true);
    expect(body).toMatchObject({ code: 'ALREADY_VOTED', userVote: 'o2' });
    expect(isPoll(body.poll)).toBe(true);
    expect(body.poll).toMatchObject({ totalVotes: 4, hasVoted: true, userVote: 'o2' });
    await expectExactCounters(db, 1);
  });

  once('[S5.6 D2.8 D2.10] a vote that cannot count is refused with the reason', async () => {
    const { db, app } = await start([
      { id: 'p', votes: [0, 0, 0, 0] },
      { id: 'closed', closedAt: testNow - 1_000 },
      { id: 'inactive', isActive: false },
      { id: 'upcoming', startsAt: testNow + 1 },
    ]);
    await db('ballots').insert({ id: 'community', kind: 'community', starts_at: 0, listed: false, in_totals: false });
    await db('ballot_options').insert({ ballot_id: 'community', option_id: 'o1', position: 0, text: 'One' });
    const refusal = async (...args: Parameters<typeof vote> extends [unknown, ...infer R] ? R : never) => {
      const { status, body, cookie } = await vote(app, ...args);
      expect(isError(body)).toBe(true);
      expect(cookie).toBeUndefined();
      return [status, body.code];
    };
    expect(await refusal('nowhere', 'o1')).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('no.such.id', 'o1')).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('community', 'o1')).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('p', 'o1', { device: null })).toEqual([400, 'DEVICE_ID_REQUIRED']);
    expect(await refusal('p', 'o1', { device: 'device_short' })).toEqual([400, 'DEVICE_ID_REQUIRED']);
    expect(await refusal('p', 'nothing')).toEqual([400, 'INVALID_OPTION']);
    expect(await refusal('p', 'o4')).toEqual([400, 'INVALID_OPTION']);
    expect(await refusal('p', 'o1\0')).toEqual([400, 'INVALID_OPTION']);
    expect(await refusal('p', 'o1\ud800')).toEqual([400, 'INVALID_OPTION']);
    expect(await refusal('p', 7)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refusal('closed', 'o1')).toEqual([409, 'POLL_CLOSED']);
    expect(await refusal('inactive', 'o1')).toEqual([409, 'POLL_CLOSED']);
    expect(await refusal('upcoming', 'o1')).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('upcoming', 'nothing')).toEqual([404, 'POLL_NOT_FOUND']);
    expect(await refusal('p', 'o1', { headers: { origin: 'https://elsewhere.example' } })).toEqual([
      403,
      'FORBIDDEN_ORIGIN',
    ]);
    await expectExactCounters(db, 0);
  });

  once('[D2.9] votes count from the moment a poll starts until just before it ends', async () => {
    const { db, app } = await start([{ id: 'p', startsAt: testNow, endsAt: testNow + 1_000 }]);
    app.clock.set(testNow - 1);
    expect((await vote(app, 'p', 'o1')).body.code).toBe('POLL_NOT_FOUND');
    app.clock.set(testNow);
    expect((await vote(app, 'p', 'o1')).status).toBe(200);
    app.clock.set(testNow + 999);
    expect((await vote(app, 'p', 'o1')).status).toBe(200);
    app.clock.set(testNow + 1_000);
    expect((await vote(app, 'p', 'o1')).body.code).toBe('POLL_CLOSED');
    await expectExactCounters(db, 2);
  });

  once('a second vote after the close gets the recorded choice, not that the poll is closed', async () => {
    const { app } = await start([{ id: 'p', endsAt: testNow + 1_000 }]);
    const device = newDevice();
    await vote(app, 'p', 'o1', { device });
    app.clock.set(testNow + 2_000);
    const { body } = await vote(app, 'p', 'o1', { device });
    expect(body).toMatchObject({ code: 'ALREADY_VOTED', userVote: 'o1', poll: { isActive: false } });
  });

  once(
    '[D2.6] the voter cookie is signed, hidden from scripts, and prevents a second vote when the device id changes',
    async () => {
      const { db, app } = await start([{ id: 'p' }, { id: 'q' }]);
      const first = await vote(app, 'p', 'o1');
      const [line = '', ...others] = first.headers.getSetCookie();
      expect(others).toEqual([]);
      const [value = '', ...attributes] = line.toLowerCase().split('; ');
      expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax']));
      expect(attributes).not.toContain('secure');
      // Value and signature; without a valid signature the cookie is ignored.
      expect(value).toMatch(/^wv_voter=[^.]+\.[^.]+$/);
      const [unsigned = '', signature = ''] = (first.cookie ?? '').split('.');
      for (const cookie of [
        unsigned,
        `${unsigned}.${signature.replace(/./, (first) => (first === 'x' ? 'y' : 'x'))}`,
      ]) {
        const asked = await app.fetch('/api/polls/p', { headers: { cookie } });
        expect(await asked.json()).toMatchObject({ hasVoted: false });
      }
      const again = await vote(app, 'p', 'o2', { cookie: first.cookie });
      expect(again.body).toMatchObject({ code: 'ALREADY_VOTED', userVote: 'o1' });
      expect(again.cookie).toBeUndefined();
      const asked = await app.fetch('/api/polls/p', { headers: { cookie: first.cookie ?? '' } });
      expect(await asked.json()).toMatchObject({ hasVoted: true, userVote: 'o1' });
      expect((await vote(app, 'q', 'o2', { cookie: first.cookie })).status).toBe(200);
      await expectExactCounters(db, 2);
      expect(await headline(db)).toEqual({ votes: 2, participants: 1 });
    },
  );

  once('[D2.6] a voter cookie without a valid signature is ignored', async () => {
    const { app } = await start();
    const { cookie = '' } = await vote(app, 'p', 'o1');
    const forged = cookie.replace(/wv_voter=(.)/, (_, first: string) => `wv_voter=${first === 'x' ? 'y' : 'x'}`);
    const asked = await app.fetch('/api/polls/p', { headers: { cookie: forged } });
    expect(await asked.json()).toMatchObject({ hasVoted: false });
    expect((await vote(app, 'p', 'o1', { cookie: forged })).status).toBe(200);
  });

  once('a browser that lost its voter cookie gets it back', async () => {
    const { app } = await start();
    const device = newDevice();
    const { cookie } = await vote(app, 'p', 'o1', { device });
    const again = await vote(app, 'p', 'o1', { device });
    expect(again.status).toBe(409);
    expect(again.cookie).toBe(cookie);
  });

  once('on an https site the voter cookie is secure', async () => {
    const { app } = await start(undefined, { config: { publicUrl: 'https://polls.example.org' } });
    const { headers } = await vote(app, 'p', 'o1');
    for (const line of headers.getSetCookie()) expect(line.toLowerCase()).toContain('secure');
  });

  test('[S1.8 D2.5] 200 parallel votes of one device count once', async () => {
    const { db, app } = await start();
    const device = newDevice();
    const answers = await Promise.all(Array.from({ length: 200 }, () => vote(app, 'p', 'o1', { device })));
    expect(statuses(answers)).toEqual({ 200: 1, 409: 199 });
    await expectExactCounters(db, 1);
    expect(await headline(db)).toEqual({ votes: 4, participants: 1 });
  });

  test('200 parallel votes with one voter cookie and different devices count once', async () => {
    const { db, app } = await start([{ id: 'p' }, { id: 'q' }]);
    const { cookie } = await vote(app, 'q', 'o1');
    const answers = await Promise.all(Array.from({ length: 200 }, () => vote(app, 'p', 'o1', { cookie })));
    expect(statuses(answers)).toEqual({ 200: 1, 409: 199 });
    await expectExactCounters(db, 2);
    expect(await headline(db)).toEqual({ votes: 2, participants: 1 });
  });

  test('[D2.11 D3.6] 300 voters on 5 polls at once are all counted, and the counters equal the rows', async () => {
    const { db, app } = await start(Array.from({ length: 5 }, (_, n) => ({ id: `p${n}`, votes: [n, 0, 1] })));
    const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => vote(app, `p${n % 5}`, `o${(n % 3) + 1}`)));
    expect(statuses(answers)).toEqual({ 200: 300 });
    await expectExactCounters(db, 300);
    expect((await headline(db)).participants).toBe(300);
  });

  test('[D2.11 D3.2] two services on one database count the same voters once and lose none', async () => {
    const { db, url, app } = await start(Array.from({ length: 4 }, (_, n) => ({ id: `p${n}` })));
    const otherDb = openDatabase(url);
    const other = await startTestApp(otherDb);
    try {
      const devices = Array.from({ length: 60 }, newDevice);
      const ballots = devices.flatMap((device) => [0, 1, 2, 3].map((n) => ({ device, poll: `p${n}` })));
      const answers = await Promise.all(
        ballots.flatMap(({ device, poll }) => [app, other].map((service) => vote(service, poll, 'o1', { device }))),
      );
      expect(statuses(answers)).toEqual({ 200: 240, 409: 240 });
      await expectExactCounters(db, 240);
      expect(await headline(db)).toEqual({ votes: 240, participants: 60 });
    } finally {
      await other.close();
      await otherDb.destroy();
    }
  });

  test('[D2.9] no vote is counted after the close of its poll was committed', async () => {
    const { db, app } = await start();
    const answers: Promise<Answer>[] = [];
    let votesAtClose = -1;
    for (let n = 0; n < 60; n++) answers.push(vote(app, 'p', 'o1'));
    const closing = (async () => {
      await answers[10];
      await db('ballots').where({ id: 'p' }).update({ closed_at: testNow });
      await countArchive(db, [closed({ id: 'p', kind: 'poll', listed: true, category: 'General' }, testNow)]);
      votesAtClose = (await db('ballots').where({ id: 'p' }).first<{ total_votes: number }>('total_votes')).total_votes;
    })();
    for (let n = 0; n < 60; n++) answers.push(vote(app, 'p', 'o1'));
    await closing;
    const counts = statuses(await Promise.all(answers));
    const after = await db('ballots').where({ id: 'p' }).first<{ total_votes: number }>('total_votes');
    expect(after.total_votes).toBe(votesAtClose);
    expect(counts[200]).toBe(votesAtClose - 3);
    expect((counts[200] ?? 0) + (counts[409] ?? 0)).toBe(120);
    await expectExactCounters(db, counts[200] ?? 0);
  });

  once(
    '[D2.14] a classroom of 40 behind one address can vote within a minute, a flood is told when to retry',
    async () => {
      const { app } = await start(undefined, { config: { rateLimit: true } });
      const classroom = await Promise.all(Array.from({ length: 40 }, () => vote(app, 'p', 'o1')));
      expect(statuses(classroom)).toEqual({ 200: 40 });
      const flood = await Promise.all(Array.from({ length: rateLimits.vote.points }, () => vote(app, 'p', 'o1')));
      const refused = flood.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(40);
      expect(refused[0]?.body.code).toBe('RATE_LIMITED');
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  once('the response shows new texts of a poll as soon as they are stored', async () => {
    const { db, app } = await start();
    expect((await vote(app, 'p', 'o1')).body.question).toBe('What about p?');
    await db('polls').where({ id: 'p' }).update({ question: 'And now?', updated_at: testNow });
    expect((await vote(app, 'p', 'o1')).body.question).toBe('And now?');
  });
});

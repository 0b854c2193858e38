import { describe, expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startMailing } from '#api/testing/mailing.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { secretIn } from '#api/testing/mail-server.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { mixAddresses } from '#api/voting/used-addresses.service.ts';
import { erasedAfterMs, voteErasure } from '#api/voting/erasure.service.ts';
import { mailedCodeMinutes, mailedCodeTries } from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { rankOf } from '#domain/protection.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

eachDatabase((open, _engine, once) => {
  async function start({ rateLimit = false } = {}) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    await db('ballots')
      .whereIn('id', ['p', 'q'])
      .update({ protection: rankOf('email') });
    const mailing = await startMailing(db, { rateLimit });
    const { server, deliver } = mailing;
    const askFor = (voter: Visitor, email: string, pollId = 'p') =>
      ask<{ request: string }>(voter, '/api/vote-codes', 'POST', { pollId, email });
    const lastCode = () => /\b(\d{6})\b/.exec(server.received.at(-1)!.text)?.[1] ?? null;
    /** What a vote sends with the code that was mailed to this address. */
    const codeFor = async (voter: Visitor, email: string, pollId = 'p') => {
      const { status, body } = await askFor(voter, email, pollId);
      expect(status).toBe(200);
      expect(await deliver()).toBe(1);
      return `${body.request}.${lastCode()}`;
    };
    const vote = async (voter: Visitor, code = '', path = '/api/polls/p', optionId = 'o1') => {
      const json = path.includes('community') ? { optionId, voterFingerprint: voter.device } : { optionId };
      const response = await voter.fetch(`${path}/vote`, { method: 'POST', json, headers: { 'x-email-code': code } });
      const body = (await response.json()) as { code?: string; message?: string; totalVotes?: number };
      return { status: response.status, ...body };
    };
    const wrong = (code: string) => `${code.slice(0, -1)}${(Number(code.slice(-1)) + 1) % 10}`;
    return { db, ...mailing, askFor, codeFor, lastCode, vote, wrong };
  }

  const used = (db: Database) => db('used_addresses').select('*');

  describe('a poll that needs a confirmed email address', () => {
    test('records a vote with the code that was mailed, one per mailbox however it is spelled, and none without', async () => {
      const { db, app, codeFor, askFor, deliver, server, vote } = await start();
      const anna = visitor(app);
      expect(await vote(anna)).toMatchObject({ status: 428, code: 'EMAIL_REQUIRED' });
      const code = await codeFor(anna, 'Anna.Berg@gmail.com');
      expect(server.received.at(-1)).toMatchObject({ to: ['Anna.Berg@gmail.com'] });
      expect(await vote(anna, code)).toMatchObject({ status: 200, totalVotes: 1 });

      const again = visitor(app);
      const { body } = await askFor(again, 'annaberg+2@googlemail.com');
      await deliver();
      // Only the owner of the mailbox gets to know it.
      expect(server.received.at(-1)!.text).toContain('already used');
      expect(server.received.at(-1)!.text).not.toMatch(/\b\d{6}\b/);
      for (const guess of ['000000', '123456'])
        expect(await vote(again, `${body.request}.${guess}`)).toMatchObject({
          status: 403,
          code: 'EMAIL_CODE_EXPIRED',
        });
      // Another poll, another vote.
      expect(await vote(again, await codeFor(again, 'anna.berg@gmail.com', 'q'), '/api/polls/q')).toMatchObject({
        status: 200,
      });
      await expectExactCounters(db);
    });

    once('refuses a wrong code, after five of them the right one too, and any after ten minutes', async () => {
      const { app, clock, codeFor, vote, wrong } = await start();
      const anna = visitor(app);
      const code = await codeFor(anna, 'anna@example.org');
      for (let left = mailedCodeTries - 1; left > 0; left -= 1) {
        const refused = await vote(anna, wrong(code));
        expect(refused).toMatchObject({ status: 403, code: 'EMAIL_CODE_WRONG' });
        expect(refused.message).toContain(left === 1 ? 'one more try' : `${left} more tries`);
      }
      expect(await vote(anna, wrong(code))).toMatchObject({ code: 'EMAIL_CODE_EXPIRED' });
      expect(await vote(anna, code)).toMatchObject({ code: 'EMAIL_CODE_EXPIRED' });

      const late = await codeFor(anna, 'anna@example.org');
      clock.set(clock.now() + mailedCodeMinutes * minute);
      expect(await vote(anna, late)).toMatchObject({ code: 'EMAIL_CODE_EXPIRED' });
      expect(await vote(anna, await codeFor(anna, 'anna@example.org'))).toMatchObject({ status: 200 });
    });

    test('takes of many tries at once five, and of many votes with one code one', async () => {
      const { db, app, codeFor, vote, wrong } = await start();
      const anna = visitor(app);
      const code = await codeFor(anna, 'anna@example.org');
      const tries = await Promise.all(Array.from({ length: 12 }, () => vote(anna, wrong(code))));
      expect(tries.filter(({ code: problem }) => problem === 'EMAIL_CODE_WRONG')).toHaveLength(mailedCodeTries - 1);
      const right = await codeFor(anna, 'anna@example.org');
      const votes = await Promise.all(Array.from({ length: mailedCodeTries }, () => vote(anna, right)));
      const statuses = new Set(votes.map(({ status }) => status));
      expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
      expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await used(db)).toHaveLength(1);
      await expectExactCounters(db);
    });

    once(
      'a code works in the browser that asked for it, for a vote that is sent again too, and no other browser',
      async () => {
        const { db, app, codeFor, vote } = await start();
        const anna = visitor(app);
        const code = await codeFor(anna, 'anna@example.org');
        expect(await vote(visitor(app), code)).toMatchObject({ code: 'EMAIL_CODE_EXPIRED' });
        // The address is free again after a vote that was not recorded.
        expect(await vote(anna, code, '/api/polls/p', 'no such option')).toMatchObject({ code: 'INVALID_OPTION' });
        expect(await used(db)).toEqual([]);
        expect(await vote(anna, code)).toMatchObject({ status: 200 });
        // The response was lost.
        expect(await vote(anna, code)).toMatchObject({ status: 409, code: 'ALREADY_VOTED' });
        expect(await vote(anna)).toMatchObject({ status: 409, code: 'ALREADY_VOTED' });
        expect(await used(db)).toHaveLength(1);
      },
    );

    once(
      'an address stays used when its code was sent with a vote that was recorded and with one that was not',
      async () => {
        const { db, app, codeFor, vote } = await start();
        for (let round = 0; round < 5; round += 1) {
          const voter = visitor(app);
          const code = await codeFor(voter, `anna${round}@example.org`);
          const votes = await Promise.all([
            vote(voter, code, '/api/polls/p', 'no such option'),
            vote(voter, code),
            vote(voter, code, '/api/polls/p', 'no such option'),
          ]);
          const recorded = votes.some(({ status }) => status === 200);
          expect(await used(db)).toHaveLength(recorded ? round + 1 : round);
          if (!recorded) expect(await vote(voter, code)).toMatchObject({ status: 200 });
        }
        await expectExactCounters(db);
      },
    );

    once('an address stays used by a written answer, also where the limit of other votes is used up', async () => {
      const { db, app, codeFor } = await start({ rateLimit: true });
      const carla = await registered(app, 'carla');
      const { id } = await made(carla, { writeIns: true, protection: 'email' });
      const other = await made(carla);
      const vote = async (voter: Visitor, pollId: string, chosen: object, code = '') => {
        const headers = { 'x-forwarded-for': '203.0.113.9', 'x-email-code': code };
        const body = { ...chosen, voterFingerprint: voter.device };
        return ask<{ receipt?: string }>(voter, `/api/community-polls/${pollId}/vote`, 'POST', body, headers);
      };
      for (let sent = 0; sent < rateLimits.vote.points; sent += 50)
        await Promise.all(Array.from({ length: 50 }, () => vote(visitor(app), other.id, { optionId: 'option-1' })));
      expect((await vote(visitor(app), other.id, { optionId: 'option-1' })).status).toBe(429);
      const anna = visitor(app);
      const { status, body } = await vote(anna, id, { writeIn: 'Water' }, await codeFor(anna, 'anna@example.org', id));
      expect([status, typeof body.receipt]).toEqual([200, 'string']);
      expect(await used(db)).toHaveLength(1);
      await expectExactCounters(db);
    });

    once('a written answer needs what other votes need, also in the seconds after that was raised', async () => {
      const { db, app } = await start();
      const { id } = await made(await registered(app, 'carla'), { writeIns: true });
      const write = (voter: Visitor, writeIn: string) =>
        ask(voter, `/api/community-polls/${id}/vote`, 'POST', { writeIn, voterFingerprint: voter.device });
      expect((await write(visitor(app), 'Water')).status).toBe(200);
      await db('ballots')
        .where({ id })
        .update({ protection: rankOf('members') });
      expect([403, 409]).toContain((await write(visitor(app), 'Water')).status);
      expect(await db('votes')).toHaveLength(1);
    });

    once('two browsers with codes for one mailbox get one vote', async () => {
      const { db, app, codeFor, vote } = await start();
      const [first, second] = [visitor(app), visitor(app)];
      const codes = [await codeFor(first, 'anna@example.org'), await codeFor(second, 'anna+2@example.org')];
      const votes = await Promise.all([vote(first, codes[0]), vote(second, codes[1])]);
      expect(votes.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(votes.find(({ status }) => status === 409)).toMatchObject({ code: 'ADDRESS_USED' });
      await expectExactCounters(db);
    });

    once('a member has one vote, signed in and by the confirmed address of the account', async () => {
      const { db, app, mailTo, codeFor, askFor, deliver, server, vote } = await start();
      const anna = await registered(app, 'anna', { email: 'anna@example.org' });
      await anna.fetch('/api/confirm-email', {
        method: 'POST',
        json: { token: secretIn(await mailTo('anna@example.org'), 'confirm') },
      });
      await db('ballots').where({ id: 'p' }).update({ protection: 0 });
      expect(await vote(anna)).toMatchObject({ status: 200 });
      await db('ballots')
        .where({ id: 'p' })
        .update({ protection: rankOf('email') });
      await askFor(visitor(app), 'Anna+x@example.org');
      await deliver();
      expect(server.received.at(-1)!.text).toContain('already used');

      // And the other way round, once votes need an account.
      const signedOut = visitor(app);
      expect(await vote(signedOut, await codeFor(signedOut, 'anna@example.org', 'q'), '/api/polls/q')).toMatchObject({
        status: 200,
      });
      await db('ballots')
        .where({ id: 'q' })
        .update({ protection: rankOf('members') });
      await expect
        .poll(async () => vote(anna, '', '/api/polls/q'), { timeout: 10_000 })
        .toMatchObject({ status: 409, code: 'ADDRESS_USED' });
    });

    once('limits mails to one mailbox, and to one small domain per poll', async () => {
      const { app, askFor } = await start({ rateLimit: true });
      const { points } = rateLimits.voteCodeTo;
      for (let sent = 0; sent < points; sent += 1)
        expect((await askFor(visitor(app), `anna+${sent}@example.org`)).status).toBe(200);
      expect(await askFor(visitor(app), 'anna@example.org')).toMatchObject({ status: 429 });
      expect((await askFor(visitor(app), 'ben@example.org')).status).toBe(200);
    });

    test('keeps digests of used addresses that nothing joins to votes, and deletes them with the poll’s secret', async () => {
      const { db, app, clock, codeFor, vote } = await start();
      for (const name of ['zoe', 'anna', 'mia', 'ben']) {
        const voter = visitor(app);
        expect(await vote(voter, await codeFor(voter, `${name}@example.org`))).toMatchObject({ status: 200 });
      }
      const rows = await used(db);
      expect(rows.every((row) => Object.keys(row).sort().join() === 'ballot_key,digest')).toBe(true);
      const stored = async () => {
        const order = isSqlite(db) ? 'digest' : 'ctid';
        const found = await db('used_addresses')
          .orderByRaw(order)
          .select<{ digest: string; written: string }[]>(
            'digest',
            db.raw(`${isSqlite(db) ? '1' : 'xmin::text'} as written`),
          );
        return { digests: found.map(({ digest }) => digest), written: new Set(found.map(({ written }) => written)) };
      };
      await mixAddresses(db);
      const { digests, written } = await stored();
      expect(digests).toEqual(digests.toSorted());
      expect(written.size).toBe(1);
      const scopes = await db('digest_salts').pluck('scope');
      expect(scopes.some((scope) => scope.startsWith('addresses '))).toBe(true);

      await db('ballots').update({ is_active: false, closed_at: clock.now(), ends_at: clock.now() });
      const erase = voteErasure({ db, clock, intake: { runExclusive: (task) => task() } });
      while (await erase());
      expect(await used(db)).toHaveLength(4);
      clock.set(clock.now() + erasedAfterMs + day);
      while (await erase());
      expect(await used(db)).toEqual([]);
      expect(await db('vote_codes')).toEqual([]);
      expect((await db('digest_salts').pluck('scope')).filter((scope) => scope.startsWith('addresses'))).toEqual([]);
    });
  });

  once(
    'nobody gets mail for a poll that any browser can vote on, one that is closed, or on a site without mail',
    async () => {
      const { db, app, askFor } = await start();
      await seedPolls(db, [{ id: 'open' }, { id: 'over', closedAt: Date.now() - day }]);
      expect(await askFor(visitor(app), 'anna@example.org', 'open')).toMatchObject({ status: 409 });
      expect(await askFor(visitor(app), 'anna@example.org', 'over')).toMatchObject({ status: 409 });
      expect(await askFor(visitor(app), 'anna@example.org', 'none')).toMatchObject({ status: 404 });
      expect(await askFor(visitor(app), 'not an address')).toMatchObject({ status: 400 });
      expect(await db('jobs')).toEqual([]);
      const quiet = await startTestApp(db);
      expect(
        await ask(visitor(quiet), '/api/vote-codes', 'POST', { pollId: 'p', email: 'anna@example.org' }),
      ).toMatchObject({ status: 404 });
    },
  );

  once('a private poll’s code is for members who may open it', async () => {
    const { db, app } = await start();
    const creator = await registered(app, 'carla');
    const poll = await made(creator, { visibility: 'private' });
    await db('ballots').where({ id: poll.id }).update({ challenge: 'on' });
    const request = { pollId: poll.id, email: 'anna@example.org' };
    expect(await ask(visitor(app), '/api/vote-codes', 'POST', request)).toMatchObject({ status: 401 });
    expect(await ask(creator, '/api/vote-codes', 'POST', request)).toMatchObject({ status: 200 });
  });
});

import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { askAdmin, seedOperator, sharedPassword } from '#api/testing/operators.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { scorePolls } from '#api/integrity/scoring.service.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { roomHash, roomHeader } from '#contract/vocabulary.ts';
import { accountAgeMask, circumstances, cookieTrait } from '#domain/integrity/vote-traits.ts';
import { fixedClock } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { scanAgainText } from '#texts/errors.ts';
import type { PollScreen } from './screen.contract.ts';

const room = '203.0.113.9';
const minute = 60_000;
const codeIn = ({ room }: PollScreen): string => room!.address.split(roomHash)[1]!;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const clock = fixedClock(testNow);
    const app = await startTestApp(db, { clock, config: { rateLimit: true } });
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    const weekly = async (id = 'p') => (await askAdmin<PollScreen>(app, 'GET', `/api/admin/polls/${id}/screen`)).body;
    const vote = (
      code: string,
      { by = visitor(app), id = 'p', from = room }: { by?: Visitor; id?: string; from?: string } = {},
    ) =>
      ask<Poll & ErrorBody>(
        by,
        `/api/polls/${id}/vote`,
        'POST',
        { optionId: 'o1' },
        {
          ...{ 'x-forwarded-for': from, 'x-option-order': 'random' },
          ...(code !== '' && { [roomHeader]: code }),
        },
      );
    /** How often each status was answered to so many people in the room, who vote at the same time. */
    const crowd = async (people: number, code: string, from = room) => {
      const answers = await Promise.all(Array.from({ length: people }, () => vote(code, { from })));
      return Object.fromEntries(
        [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
      );
    };
    /** As if so many votes had been counted against the limits of rooms in this hour. */
    const useUp = (used: number) => db('attempts').where('key', '<>', '').update({ used });
    return { db, clock, app, weekly, vote, crowd, useUp };
  }

  test('700 people behind one address vote with the code, all are counted, and counted apart; without it, some are refused', async () => {
    const { db, app, weekly, vote, crowd } = await start();
    const code = codeIn(await weekly());
    expect(await crowd(700, code)).toEqual({ 200: 700 });
    expect(await weekly()).toMatchObject({
      totalVotes: 700,
      options: [{ id: 'o1', votes: 700 }, { votes: 0 }, { votes: 0 }],
    });
    expect((await ask<Poll>(visitor(app), '/api/polls/p')).body.votesApart).toEqual({ onScreen: 700 });
    // The others behind this address have the limits to themselves.
    const { vote: perMinute } = rateLimits;
    expect(await crowd(perMinute.points + 10, '')).toEqual({ 200: perMinute.points, 429: 10 });
    expect((await vote('')).body.message).not.toBe(scanAgainText);
    await expectExactCounters(db);
  });

  once(
    'a vote in a room has no network, account, or cookie as evidence, and a browser still has one vote',
    async () => {
      const { db, app, weekly, vote } = await start();
      const [p, q] = [codeIn(await weekly()), codeIn(await weekly('q'))];
      const anna = await registered(app, 'anna');
      expect((await vote(p, { by: anna })).status).toBe(200);
      expect((await vote(p, { by: anna })).status).toBe(409);
      expect((await vote(q, { by: anna, id: 'q' })).status).toBe(200);
      const rows = await db('votes').select('network', 'traits', 'user_id');
      expect(rows).toHaveLength(2);
      for (const { network, traits, user_id: user } of rows) {
        expect([network, user]).toEqual([null, anna.user.id]);
        expect(traits! & circumstances.onScreen.trait).toBeGreaterThan(0);
        expect(traits! & (accountAgeMask | cookieTrait)).toBe(0);
      }
      await expectExactCounters(db);
    },
  );

  once(
    'a code is valid for ten minutes after it was shown, and an expired, foreign, or forged one changes nothing',
    async () => {
      const { db, clock, weekly, vote, crowd } = await start();
      const code = codeIn(await weekly());
      const foreign = codeIn(await weekly('q'));
      clock.set(testNow + 2 * minute);
      const next = codeIn(await weekly());
      expect(next).not.toBe(code);
      clock.set(testNow + 12 * minute - 1);
      expect((await vote(code)).status).toBe(200);
      clock.set(testNow + 12 * minute);
      expect((await vote(next)).status).toBe(200);
      const forged = `${code.split('.')[0]!}.${next.split('.')[1]!}`;
      for (const wrong of [code, foreign, forged, 'x', `${'z'.repeat(8)}.${'A'.repeat(16)}`])
        expect((await vote(wrong)).status).toBe(200);
      const inRoom = await db('ballot_options')
        .where({ ballot_id: 'p', option_id: 'o1' })
        .first('votes', 'votes_on_screen');
      expect(inRoom).toMatchObject({ votes: 7, votes_on_screen: 2 });
      // Once the limits of the network are used up, the answer says what helps.
      await crowd(rateLimits.vote.points, '');
      const late = await vote(code);
      expect([late.status, late.body.message]).toEqual([429, scanAgainText]);
      expect((await vote(next)).status).toBe(200);
    },
  );

  once(
    'a room has limits of its own, with one code and on its poll; past them its votes have those of their address',
    async () => {
      const { db, clock, weekly, vote, crowd, useUp } = await start();
      const code = codeIn(await weekly());
      const inRoom = async () =>
        (await db('ballot_options').where({ ballot_id: 'p', option_id: 'o1' }).first('votes_on_screen'))
          ?.votes_on_screen;
      await crowd(40, code);
      await useUp(rateLimits.votesWithCode.points);
      // Whoever uses a code up takes nothing away from others that they would have without it.
      expect([(await vote(code)).status, await inRoom()]).toEqual([200, 40]);
      await crowd(rateLimits.vote.points, '');
      const full = await vote(code);
      expect([full.status, full.body.message]).toEqual([429, scanAgainText]);
      clock.set(clock.now() + 2 * minute);
      const next = codeIn(await weekly());
      expect((await vote(next)).status).toBe(200);
      await useUp(rateLimits.votesInRooms.points);
      expect((await vote(next)).status).toBe(429);
      // Everybody else votes as before.
      expect((await vote('', { from: '198.51.100.7' })).status).toBe(200);
    },
  );

  once('votes in a room are neither flagged nor what other votes are compared with, and hide no attack', async () => {
    const { db, clock, app, weekly, crowd } = await start();
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    const detection = async () => {
      await scorePolls({ db, clock, intake, log: silentLogger });
      const row = await db('integrity_scores').first<{ detection: string } | undefined>('detection');
      return row === undefined
        ? null
        : (JSON.parse(row.detection) as { clusters: { votes: number }[]; hourly: number });
    };
    expect(await crowd(400, codeIn(await weekly()))).toEqual({ 200: 400 });
    expect(await detection()).toBeNull();
    await expectExactCounters(db);
    for (let at = 0; at < 6; at += 1) {
      clock.set(clock.now() + minute);
      expect(await crowd(100, '', '198.51.100.7')).toEqual({ 200: 100 });
    }
    expect((await detection())!.clusters.map(({ votes }) => votes)).toEqual([600]);
    expect((await ask<Poll>(visitor(app), '/api/polls/p')).body.independent).toMatchObject({ votes: 0 });
  });

  once('the screen is for operators and the creator; for others there is no such poll', async () => {
    const { db, app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const operator = await seedOperator(db, app, 'olga', 'moderator');
    const screen = async (by: Visitor, path: string) => {
      const { status, body } = await ask<PollScreen & ErrorBody>(by, path);
      return status === 200 ? body.question : `${status} ${body.code}`;
    };
    for (const visibility of ['public', 'unlisted', 'private'] as const) {
      const { id, question } = await made(anna, { visibility });
      const path = `/api/community-polls/${id}/screen`;
      expect(await screen(anna, path)).toBe(question);
      for (const other of [ben, operator]) expect(await screen(other, path)).toBe('404 POLL_NOT_FOUND');
      expect(await screen(visitor(app), path)).toBe('401 UNAUTHENTICATED');
    }
    expect(await screen(ben, '/api/community-polls/none/screen')).toBe('404 POLL_NOT_FOUND');
    expect(await screen(operator, '/api/admin/polls/p/screen')).toMatch(/p\?$|CONFIRMATION/);
    expect(await screen(ben, '/api/admin/polls/p/screen')).toBe('401 ADMIN_REQUIRED');
    expect(await screen(visitor(app), '/api/admin/polls/p/screen')).toBe('401 ADMIN_REQUIRED');
    expect((await askAdmin(app, 'GET', '/api/admin/polls/none/screen')).body.code).toBe('POLL_NOT_FOUND');
  });

  once('there is a code while the poll is open, and its QR code leads to the poll with it', async () => {
    const { db, clock, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, { method: 'several', maxChoices: 2 });
    const screen = async () => (await ask<PollScreen>(anna, `/api/community-polls/${id}/screen`)).body;
    const open = await screen();
    expect(open).toMatchObject({
      phase: 'open',
      method: 'several',
      maxChoices: 2,
      address: `http://localhost:3000/community-polls/${id}`,
    });
    expect(open.room!.address).toBe(`${open.address}#room=${codeIn(open)}`);
    expect(read(open.room!.qrCode)).toBe(open.room!.address);
    await db('ballots')
      .where({ id })
      .update({ starts_at: clock.now() + 1 });
    expect(await screen()).toMatchObject({ phase: 'upcoming', room: null });
    await ask(anna, `/api/community-polls/${id}/close`, 'POST');
    expect(await screen()).toMatchObject({ phase: 'closed', room: null });
  });

  once('guests of a private poll vote with the code, and nobody else', async () => {
    const { app } = await start();
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    const { id } = await made(anna, { visibility: 'private' });
    const code = codeIn((await ask<PollScreen>(anna, `/api/community-polls/${id}/screen`)).body);
    const vote = (by: Visitor) =>
      ask(
        by,
        `/api/community-polls/${id}/vote`,
        'POST',
        { optionId: 'option-1', voterFingerprint: by.device },
        { [roomHeader]: code },
      );
    expect([(await vote(anna)).status, (await vote(ben)).status, (await vote(visitor(app))).status]).toEqual([
      200, 403, 401,
    ]);
  });

  once('what a room reads has another limit, and does not use up that of its screen', async () => {
    const { app, weekly } = await start();
    const code = codeIn(await weekly());
    const { points } = rateLimits.read;
    const from = { 'x-forwarded-for': room };
    await Promise.all(Array.from({ length: points }, () => app.fetch('/api/polls/p', { headers: from })));
    expect((await app.fetch('/api/polls/p', { headers: from })).status).toBe(429);
    for (const [path, status] of [
      ['p', 200],
      ['q', 429],
    ] as const)
      expect((await app.fetch(`/api/polls/${path}`, { headers: { ...from, [roomHeader]: code } })).status).toBe(status);
    const screen = await app.fetch('/api/admin/polls/p/screen', { headers: { ...from, ...sharedPassword } });
    expect(screen.status).toBe(200);
  });
});

/** What a scanner reads in the picture of a QR code, drawn with four pixels for each unit. */
function read({ size, path }: { readonly size: number; readonly path: string }): string {
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, ...numbers] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    const [x, y, length] = numbers.map((number) => Number(number) * scale) as [number, number, number];
    for (let line = y; line < y + scale; line += 1) {
      const from = (line * side + x) * 4;
      for (let at = from; at < from + length * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

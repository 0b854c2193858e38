import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { compileSchema } from '#platform/validation.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { ask, made, newPoll } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { canBeSeen } from '#api/testing/hostile-values.ts';
import { createCommunityPoll } from './creation.service.ts';
import { communityStartSlackMs } from '#domain/community-poll-rules.ts';
import { optionKey } from '#domain/option-key.ts';

const isPoll = compileSchema<CommunityPoll>(endpoints.createCommunityPoll.response, 'json');
const day = 86_400_000;
const iso = (moment: number) => new Date(moment).toISOString();

// The Big List of Naughty Strings, kept next to the repository.
const naughtyFile = new URL('../../../../shared/data/naughty-strings.json', import.meta.url);
const naughty = existsSync(naughtyFile) ? (JSON.parse(readFileSync(naughtyFile, 'utf8')) as string[]) : null;

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    app = await startTestApp(db, options);
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Weber' });
    return { db, app, anna };
  }
  const create = (member: Member, more: object) =>
    ask<CommunityPoll & ErrorBody>(member, '/api/community-polls', 'POST', { ...newPoll, ...more });

  test('[S1.10 S3.13 S7.20 S7.21 D6.3 D6.14] a member creates a poll, and everyone can open it', async () => {
    const { db, app, anna } = await start();
    const { status, body } = await create(anna, {
      question: '  Tea or coffee?\n',
      description: ' In the morning. ',
      options: [
        { id: 'option-1', text: ' Tea ', votes: 0 },
        { id: 'option-2', text: 'Coffee' },
        { id: 'option-3', text: ' \t' },
      ],
      startsAt: iso(testNow),
      endsAt: iso(testNow + day),
    });
    expect(status).toBe(201);
    expect(isPoll(body), JSON.stringify(isPoll.errors)).toBe(true);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{25}$/) as string,
      question: 'Tea or coffee?',
      description: 'In the morning.',
      options: [
        { id: 'option-1', text: 'Tea', votes: 0 },
        { id: 'option-2', text: 'Coffee', votes: 0 },
      ],
      totalVotes: 0,
      isActive: true,
      optionOrder: 'random',
      visibility: 'public',
      featured: false,
      createdAt: iso(testNow),
      startsAt: iso(testNow),
      endsAt: iso(testNow + day),
      closedAt: null,
      category: 'Lifestyle',
      tags: [],
      createdByName: 'Anna Weber',
      createdByUsername: 'anna',
      isMine: true,
      createdBy: anna.user.id,
      allowedUsers: [],
      hasVoted: false,
      userVote: null,
      commentCount: 0,
    });
    const seen = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${body.id}`);
    expect(seen.headers.get('cache-control')).toBe('no-store');
    const { createdBy, allowedUsers, ...shown } = body;
    // Only the creator sees results before the first vote.
    const options = shown.options.map((option) => ({ ...option, votes: null }));
    expect([createdBy, allowedUsers]).toEqual([anna.user.id, []]);
    expect(seen.body).toEqual({ ...shown, options, isMine: false });
    await expectExactCounters(db);
  });

  test('[S3.13] a poll without a visibility is public', async () => {
    const { app, anna } = await start();
    const { visibility, ...poll } = newPoll;
    expect(visibility).toBe('public');
    const { status, body } = await ask<CommunityPoll>(anna, '/api/community-polls', 'POST', poll);
    expect([status, body.visibility]).toEqual([201, 'public']);
    const listed = await ask<CommunityPoll[]>(visitor(app), '/api/community-polls');
    expect(listed.body.map(({ id }) => id)).toEqual([body.id]);
  });

  test('[D6.3] ids of polls created by one member at the same time have nothing in common', async () => {
    const { anna } = await start();
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push((await made(anna)).id);
    for (const [n, id] of ids.entries())
      for (const other of ids.slice(n + 1)) {
        const alike = Array.from(id).filter((character, place) => character === other[place]).length;
        expect(alike, `${id} and ${other}`).toBeLessThan(10);
      }
  });

  test('a member whose account is deleted concurrently creates no poll', async () => {
    const { db, app } = await start();
    const making = createCommunityPoll({ db, clock: app.clock }, 'nobody', newPoll);
    await expect(making).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await db('ballots')).toEqual([]);
    await expectExactCounters(db);
  });

  test('[D3.5] only public polls count in the headline figures', async () => {
    const { db, anna } = await start();
    for (const visibility of ['public', 'unlisted', 'private', 'public'] as const) await made(anna, { visibility });
    const { body } = await ask<{ totalPolls: number }>(anna, '/api/statistics?v=2&t=1');
    expect(body.totalPolls).toBe(2);
    await expectExactCounters(db);
  });

  const options = (...texts: string[]) => texts.map((text, index) => ({ id: `option-${index + 1}`, text }));
  const wrongPolls: readonly [field: string, wrong: object][] = [
    ['question', { question: ' ' }],
    ['question', { question: 'x'.repeat(201) }],
    ['question', { question: 'a\0b' }],
    ['question', { question: undefined }],
    ['description', { description: 'x'.repeat(2_001) }],
    ['description', { description: 'half \ud83d' }],
    ['visibility', { visibility: 'secret' }],
    ['category', { category: 'Gossip' }],
    ['category', { category: '' }],
    ['options', { options: options('Only one') }],
    ['options', { options: options('One', ' ', '') }],
    ['options', { options: options(...Array.from({ length: 11 }, (_, n) => `Option ${n}`)) }],
    ['options.1.text', { options: options('Tea', 'x'.repeat(121)) }],
    ['options.2.text', { options: options('Straße', 'Weg', ' STRASSE ') }],
    ['options.1.text', { options: options('Cafe\u0301', 'CAFÉ') }],
    ['options.1.text', { options: options('Tea', 'Co\0ffee') }],
    ['options.1.id', { options: [...options('Tea'), { id: 'option-1', text: 'Coffee' }] }],
    ['options.0.id', { options: [{ id: 'tea', text: 'Tea' }, ...options('Coffee', 'Water')] }],
    ['options.0.votes', { options: [{ id: 'option-3', text: 'Tea', votes: 900 }, ...options('Coffee')] }],
    ['startsAt', { startsAt: 'tomorrow' }],
    ['startsAt', { startsAt: iso(testNow + 11 * 366 * day) }],
    ['endsAt', { endsAt: iso(testNow) }],
    ['endsAt', { startsAt: iso(testNow + 2 * day), endsAt: iso(testNow + 2 * day) }],
    ['endsAt', { endsAt: iso(testNow + 11 * 366 * day) }],
    ['endsAt', { endsAt: '2026-12-31T23:59:60Z' }],
    ['featured', { featured: true }],
    ['allowedUsers', { allowedUsers: ['ben'] }],
  ];

  test('[S5.8 D6.11] an invalid poll is refused, the field is named, and nothing changes', async () => {
    const { db, anna } = await start();
    for (const [field, wrong] of wrongPolls) {
      const { status, body } = await create(anna, wrong);
      expect([status, body.code, body.errors?.map((error) => error.field)], JSON.stringify(wrong)).toEqual([
        400,
        'VALIDATION_FAILED',
        [field],
      ]);
    }
    expect(await db('ballots')).toEqual([]);
    await expectExactCounters(db);
  });

  test('[D6.11] length limits count characters after trimming, not bytes or surrogates', async () => {
    const { anna } = await start();
    const long = {
      question: `  ${'🐘'.repeat(200)}  `,
      description: `\n${'é'.repeat(2_000)}\n`,
      options: options(...Array.from({ length: 10 }, (_, n) => ` ${'🐘'.repeat(119)}${n} `), ' ', ''),
    };
    const { status, body } = await create(anna, long);
    expect(status).toBe(201);
    expect([body.question, body.options.length]).toEqual(['🐘'.repeat(200), 10]);
  });

  test('[S3.4 S5.8] a poll without dates starts now and stays open; a start in the past or a moment ahead means now', async () => {
    const { app, anna } = await start();
    const { startsAt, endsAt, description, ...bare } = newPoll;
    expect([startsAt, endsAt, description]).toBeDefined();
    const plain = await ask<CommunityPoll>(anna, '/api/community-polls', 'POST', { ...bare, category: null });
    expect(plain.body).toMatchObject({ startsAt: iso(testNow), endsAt: null, category: null, description: '' });
    expect(plain.body).toMatchObject({ totalVotes: 0, isActive: true, closedAt: null });
    const ahead = await made(anna, { startsAt: iso(testNow + communityStartSlackMs), endsAt: null });
    expect(ahead).toMatchObject({ startsAt: iso(testNow), isActive: true });
    const past = await made(anna, { startsAt: '1970-01-01T00:00:00Z', endsAt: '2026-11-20T14:00:00+01:30' });
    expect(past).toMatchObject({ startsAt: iso(testNow), endsAt: '2026-11-20T12:30:00.000Z' });
    app.clock.set(testNow + 1_000 * day);
    const later = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${plain.body.id}`);
    expect(later.body).toMatchObject({ isActive: true, closedAt: null });
  });

  test('[S5.8] the start is a date (midnight UTC) or a date with time', async () => {
    const { anna } = await start();
    expect(await made(anna, { startsAt: '2026-11-25' })).toMatchObject({ startsAt: '2026-11-25T00:00:00.000Z' });
    expect(await made(anna, { startsAt: '2026-11-25T10:30:00+01:00' })).toMatchObject({
      startsAt: '2026-11-25T09:30:00.000Z',
    });
    expect(await made(anna, { startsAt: '2026-11-20' })).toMatchObject({ startsAt: iso(testNow), isActive: true });
    for (const startsAt of ['2026-02-30', '25 November 2026', '2026-11-25T10:30', '']) {
      const { status, body } = await create(anna, { startsAt });
      expect([status, body.message]).toEqual([400, 'Start must be a date, or a date and time']);
    }
  });

  test('a public poll reaches the pre-rendered list within minutes; unlisted and private ones request no build', async () => {
    const { db, anna } = await start();
    await made(anna, { visibility: 'unlisted' });
    const { id } = await made(anna, { visibility: 'private' });
    await ask(anna, `/api/community-polls/${id}`, 'DELETE');
    expect(await waitingPages(db)).toEqual([]);
    const { id: first } = await made(anna);
    await made(anna);
    const recorded = async () => waitingPages(db).where({ key: first }).select('kind', 'queue', 'at');
    const change = { kind: 'community', queue: 'publish-now', at: testNow };
    expect(await recorded()).toEqual([change]);
    await ask(anna, `/api/community-polls/${first}`, 'DELETE');
    expect(await recorded()).toEqual([change, change]);
  });

  test('a new member creates up to five polls an hour, not counting refused ones; a wave from new accounts of one network ends', async () => {
    const { db, anna } = await start({ config: { rateLimit: true } });
    const { points } = rateLimits.createPollWhenNew;
    for (let n = 0; n < points; n++) {
      expect((await create(anna, { endsAt: iso(testNow) })).status).toBe(400);
      expect((await create(anna, {})).status).toBe(201);
    }
    const refused = await create(anna, {});
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.message).toMatch(/^Too many polls were created by you .* Please try again in 60 minutes\./);
    const spammers = await Promise.all(Array.from({ length: 11 }, (_, n) => registered(app!, `spam${n}`)));
    const wave = await Promise.all(
      spammers.flatMap((one) => Array.from({ length: points }, async () => (await create(one, {})).status)),
    );
    const most = rateLimits.createPollNewNearby.points;
    expect(wave.filter((status) => status === 201)).toHaveLength(most - points);
    expect(new Set(wave)).toEqual(new Set([201, 429]));
    // Members who have been here for longer are not held up.
    await db('users')
      .where({ username: 'anna' })
      .update({ created_at: testNow - 31 * day });
    expect((await create(anna, {})).status).toBe(201);
  });

  test('difficult strings are stored and returned unchanged', async (context) => {
    if (!naughty) return context.skip('../shared/data/naughty-strings.json is not there');
    const { app, anna } = await start();
    const usable = naughty.filter(
      (text) => canBeSeen(text) && Array.from(text.trim()).length <= limits.communityOption,
    );
    expect(usable.length).toBeGreaterThan(400);
    for (let n = 0; n < usable.length; n += 8) {
      const some = [...new Map(usable.slice(n, n + 8).map((text) => [optionKey(text), text])).values()];
      const sent = { question: some[0]!, description: some.join('\n'), options: options('Something else', ...some) };
      const { status, body } = await create(anna, sent);
      expect([status, body.errors]).toEqual([201, undefined]);
      const { body: read } = await ask<CommunityPoll>(visitor(app), `/api/community-polls/${body.id}`);
      expect(read.question).toBe(sent.question.trim());
      expect(read.description).toBe(sent.description.trim());
      expect(read.options.map(({ text }) => text)).toEqual(sent.options.map(({ text }) => text.trim()));
    }
  });
});

import { expect, test } from 'vitest';
import { userSummarySchema } from '#api/members/accounts/accounts.contract.ts';
import type { UserSummary } from '#api/members/accounts/accounts.contract.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { userExportSchema } from './profile.contract.ts';
import type { UserExport } from './profile.contract.ts';
import { compileSchema } from '#platform/validation.ts';
import { ask, castVote, invited, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, signedIn } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { storedVotes } from '#api/testing/votes.ts';
import { exportBatch } from './profile.service.ts';

const isExport = compileSchema<UserExport>(userExportSchema, 'json');
const isSummary = compileSchema<object>(userSummarySchema, 'json');

oneDatabase((open) => {
  async function start(options: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    const app = await startTestApp(db, options);
    return { db, app };
  }

  test('[S2.14] the progress box counts what a member did', async () => {
    const { app } = await start();
    const anna = await registered(app, 'anna');
    const figures = async () => (await ask<UserSummary>(anna, '/api/user/summary')).body;
    const newBadges = [{ key: 'early_adopter', earnedAt: '2026-11-20T12:00:00.000Z' }];
    expect(await figures()).toEqual({ badges: 1, polls: 0, activities: 1, newBadges, unreadNotifications: 1 });
    await made(anna);
    await made(anna, { visibility: 'private' });
    await made(await registered(app, 'ben'));
    const now = await figures();
    expect(isSummary(now), JSON.stringify(isSummary.errors)).toBe(true);
    expect(now).toMatchObject({ badges: 1, polls: 2, activities: 3 });
  });

  test('[S1.2 D5.10 D5.13] an export has everything stored about its member, and no one else’s data', async () => {
    const { db, app } = await start();
    await seedPolls(db, [{ id: 'weekly' }]);
    const [anna, ben] = [await registered(app, 'anna', { email: 'anna@example.org' }), await registered(app, 'ben')];
    const [secret, own] = [await made(ben, { visibility: 'private' }), await made(anna, { visibility: 'unlisted' })];
    await invited(ben, secret.id, 'anna');
    const nonce = '0123456789abcdef'.repeat(2);
    const voting = { method: 'POST', json: { optionId: 'o2' }, headers: { 'x-vote-nonce': nonce } };
    await anna.fetch('/api/polls/weekly/vote', voting);
    await castVote(anna, secret.id, 'option-2');
    await castVote(ben, secret.id, 'option-1');
    const comments = `/api/community-polls/${secret.id}/comments`;
    const theirs = await ask<{ id: string }>(ben, comments, 'POST', { content: 'From Ben' });
    const mine = await ask<{ id: string }>(anna, comments, 'POST', { content: 'From Anna' });
    await ask(anna, `${comments}/${theirs.body.id}/report`, 'POST', { reason: 'Not nice' });
    const { user } = await signedIn(app, 'anna');

    const { status, body, headers } = await ask<UserExport>(anna, '/api/user/export');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(isExport(body), JSON.stringify(isExport.errors)).toBe(true);
    const at = '2026-11-20T12:00:00.000Z';
    expect(body).toMatchObject({
      exportedAt: at,
      user,
      polls: [{ id: own.id, visibility: 'unlisted', isMine: true }],
      votes: [
        { pollId: 'weekly', question: expect.any(String) as string, optionId: 'o2', createdAt: at, nonce },
        { pollId: secret.id, question: 'Tea or coffee?', optionId: 'option-2', option: 'Coffee', createdAt: at },
      ],
      comments: [
        { id: mine.body.id, pollId: secret.id, question: 'Tea or coffee?', content: 'From Anna', createdAt: at },
      ],
      reports: [
        {
          ...{ kind: 'comment', id: theirs.body.id, pollId: secret.id, question: 'Tea or coffee?' },
          ...{ category: 'other', reason: 'Not nice', createdAt: at },
        },
      ],
      invitations: [{ pollId: secret.id, question: 'Tea or coffee?', invitedAt: at }],
      sessions: [{ lastUsedAt: at }, { lastUsedAt: at }],
      email: { confirmed: false, pending: null },
      passkeys: [],
      operator: null,
      picture: null,
      recoveryCodes: 8,
      resetLinks: [],
      progress: { counts: { votes: 2, polls: 1, comments: 1 } },
      activityDays: [{ day: '2026-11-20', count: 4 }],
      notifications: { muted: [], feedCreatedAt: null },
    });
    expect(body.events).toContainEqual({
      ...{ type: 'vote.cast', subject: secret.id, createdAt: '2026-11-20T00:00:00.000Z' },
      details: { category: 'Lifestyle', traits: ['firstHour'] },
    });
    expect(body.activities.map(({ activityType }) => activityType)).toEqual(
      expect.arrayContaining(['vote', 'poll_created', 'comment', 'badge_earned']),
    );
    expect(body.activities).toContainEqual(
      expect.objectContaining({
        ...{ activityType: 'vote', entityId: secret.id, choice: 'Coffee' },
        poll: { id: secret.id, kind: 'community', question: 'Tea or coffee?' },
      }),
    );
    expect(body.notifications.list).toContainEqual({
      ...{ kind: 'invited', subject: secret.id, pollId: secret.id, reason: null },
      ...{ createdAt: at, latestAt: at, readAt: null },
    });
    const text = JSON.stringify(body);
    const [stored] = await db('users').where({ id: anna.user.id }).pluck('password');
    const votes = await storedVotes(db);
    expect(votes).toHaveLength(3);
    const digests = votes.flatMap(({ device, cookie }) => [device, cookie ?? device]);
    const cookies = [...anna.cookies].filter(([name]) => name !== 'wv_account').map(([, value]) => value);
    for (const secretOrNotTheirs of [anna.device, ...cookies, ...digests, stored, 'From Ben'])
      expect(text).not.toContain(secretOrNotTheirs);
  });

  test('an export has all polls of a member with more than one page of them', async () => {
    const { db, app } = await start();
    const anna = await registered(app, 'anna');
    const { id } = await made(anna);
    const ballot = await db('ballots')
      .where({ id })
      .first('kind', 'is_active', 'listed', 'category', 'starts_at', 'ends_at');
    const [poll] = await db('community_polls').where({ id });
    const options = await db('ballot_options').where({ ballot_id: id }).select('option_id', 'position', 'text');
    const ids = Array.from({ length: exportBatch + 5 }, (_, n) => `copy-${n}`);
    await db.batchInsert(
      'ballots',
      ids.map((copy) => ({ ...ballot, id: copy })),
      50,
    );
    await db.batchInsert(
      'community_polls',
      ids.map((copy) => ({ ...poll, id: copy })),
      50,
    );
    await db.batchInsert(
      'ballot_options',
      ids.flatMap((copy) => options.map((option: object) => ({ ...option, ballot_id: copy }))),
      50,
    );
    const { body } = await ask<UserExport>(anna, '/api/user/export');
    expect(new Set(body.polls.map((exported) => exported.id)).size).toBe(exportBatch + 6);
  });

  test('exports are limited', async () => {
    const { app } = await start({ config: { rateLimit: true } });
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    for (let time = 0; time < rateLimits.exportUser.points; time++)
      expect((await ask(anna, '/api/user/export')).status).toBe(200);
    expect((await ask(anna, '/api/user/export')).status).toBe(429);
    expect((await ask(ben, '/api/user/export')).status).toBe(200);
  });
});

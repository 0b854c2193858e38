import { describe, expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { auditLog, sharedPassword as operatorHeaders } from '#api/testing/operators.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { rankOf } from '#domain/protection.ts';

const mail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'desk@example.org' };

eachDatabase((open, _engine, once) => {
  async function start(config: Parameters<typeof startTestApp>[1] = {}) {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    const app = await startTestApp(db, config);
    const vote = async (voter: Visitor) => {
      const response = await voter.fetch('/api/polls/p/vote', { method: 'POST', json: { optionId: 'o1' } });
      return { status: response.status, ...((await response.json()) as { code?: string }) };
    };
    const raise = async (id: string, protection: string) => {
      const response = await visitor(app).fetch(`/api/admin/flags/${id}/protection`, {
        method: 'POST',
        json: { protection, note: 'An attack.' },
        headers: operatorHeaders,
      });
      return { status: response.status, text: await response.text() };
    };
    const poll = async () => (await ask<Poll>(visitor(app), '/api/polls/p')).body;
    return { db, app, vote, raise, poll };
  }

  describe('a poll under attack', () => {
    once(
      'can be raised while it runs: earlier votes stay, its page says since when, and those browsers don’t vote again',
      async () => {
        const { db, app, vote, raise, poll } = await start();
        const [early, other] = [visitor(app), visitor(app)];
        expect(await vote(early)).toMatchObject({ status: 200 });
        expect(await raise('p', 'members')).toMatchObject({ status: 204 });
        expect(await poll()).toMatchObject({
          ...{ totalVotes: 1, protection: 'members' },
          protectionRaises: [{ level: 'members', at: new Date(testNow).toISOString(), votesBefore: 1 }],
        });
        // At once: a process that hasn’t noticed yet refuses the vote, too.
        const refused = await vote(other);
        expect([401, 409]).toContain(refused.status);
        await expect.poll(() => vote(other), { timeout: 10_000 }).toMatchObject({ status: 401, code: 'MEMBERS_ONLY' });
        expect(await vote(early)).toMatchObject({ status: 409, code: 'ALREADY_VOTED' });
        const member = await registered(app, 'anna', {}, early);
        expect(await vote(member)).toMatchObject({ status: 409, code: 'ALREADY_VOTED' });
        expect(await vote(await registered(app, 'ben'))).toMatchObject({ status: 200 });
        expect((await poll()).totalVotes).toBe(2);
        await expectExactCounters(db);
        const entries = await auditLog(db).where({ action: 'votes.protection' });
        expect(entries).toHaveLength(1);
      },
    );

    test('is raised to the next level once, however often somebody clicks', async () => {
      const { vote, app, raise, poll } = await start();
      await vote(visitor(app));
      const answers = await Promise.all([raise('p', 'check'), raise('p', 'check'), raise('p', 'check')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
      expect((await poll()).protectionRaises).toHaveLength(1);
      expect(await raise('p', 'browser')).toMatchObject({ status: 409 });
      expect(await raise('none', 'members')).toMatchObject({ status: 404 });
    });

    once('is offered no confirmed address on a site without mail, and the next level otherwise', async () => {
      const { db, app, raise } = await start();
      expect(await raise('p', 'email')).toMatchObject({ status: 400 });
      const listed = async (where: typeof app) => {
        const response = await visitor(where).fetch('/api/admin/flags?poll=p', { headers: operatorHeaders });
        return ((await response.json()) as { polls: unknown[] }).polls[0];
      };
      await raise('p', 'check');
      expect(await listed(app)).toMatchObject({ protection: 'check', nextProtection: 'members' });
      const mailing = await startTestApp(db, { config: mail });
      expect(await listed(mailing)).toMatchObject({ protection: 'check', nextProtection: 'email' });
    });
  });

  once('operators choose the level of a poll in the editor; with votes it can only be raised', async () => {
    const { app, vote } = await start();
    const asOperator = async (path: string, method = 'GET', json?: unknown) => {
      const response = await visitor(app).fetch(path, {
        method,
        headers: operatorHeaders,
        ...(json !== undefined && { json }),
      });
      return { status: response.status, body: (await response.json().catch(() => null)) as unknown };
    };
    const edit = (protection: string) => asOperator('/api/admin/polls/p', 'PATCH', { protection });
    expect((await asOperator('/api/admin/polls/p')).body).toMatchObject({
      content: { protection: 'browser' },
      protections: ['browser', 'check', 'members'],
    });
    expect((await edit('members')).status).toBe(200);
    expect((await edit('browser')).status).toBe(200);
    expect((await edit('email')).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await vote(visitor(app))).toMatchObject({ status: 200 });
    expect((await edit('check')).status).toBe(200);
    expect((await edit('browser')).body).toMatchObject({ code: 'CONFLICT' });
  });

  once(
    'creators choose and raise the level of a poll, and a private poll is always for members who are invited',
    async () => {
      const { app } = await start();
      const creator = await registered(app, 'carla');
      const poll = await made(creator, { protection: 'members' });
      expect(poll).toMatchObject({ protection: 'members' });
      const path = `/api/community-polls/${poll.id}`;
      const voter = visitor(app);
      const json = { optionId: 'option-1', voterFingerprint: voter.device };
      expect((await voter.fetch(`${path}/vote`, { method: 'POST', json })).status).toBe(401);
      expect((await ask<CommunityPoll>(creator, path, 'PATCH', { protection: 'check' })).body).toMatchObject({
        protection: 'check',
      });
      expect((await ask(creator, `${path}/decisions`)).body).toMatchObject({ nextProtection: 'members' });
      await ask(creator, `${path}/vote`, 'POST', { ...json, voterFingerprint: creator.device });
      const closed = await made(creator, { visibility: 'private' });
      expect(closed).toMatchObject({ protection: 'invited' });
      const edited = await ask(creator, `/api/community-polls/${closed.id}`, 'PATCH', { protection: 'members' });
      expect(edited).toMatchObject({ status: 400 });
      const create = { question: 'Tea?', visibility: 'private', protection: 'members' };
      const options = [1, 2].map((place) => ({ id: `option-${place}`, text: `Tea ${place}` }));
      expect(await ask(creator, '/api/community-polls', 'POST', { ...create, options })).toMatchObject({ status: 400 });
    },
  );

  once('a poll that needs a check gets one on every vote', async () => {
    const { db, app, vote } = await start();
    await db('ballots')
      .where({ id: 'p' })
      .update({ protection: rankOf('check') });
    expect(await vote(visitor(app))).toMatchObject({ status: 428, code: 'CHALLENGE_REQUIRED' });
  });
});

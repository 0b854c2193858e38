import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { awardAll, badgesOf, expectAllAwarded } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, testPassword, visitor } from '#api/testing/people.ts';
import type { Member } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { awardBadges, progressFor } from './awards.service.ts';

const many = 50;
const polls = Array.from({ length: many }, (_, n) => `p${n}`);

/** The same browser at another process. */
function at(app: TestApp, member: Member): Member {
  const other = visitor(app);
  for (const [name, value] of member.cookies) other.cookies.set(name, value);
  return { ...other, user: member.user };
}

eachDatabase((open, engine) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  async function startTwo() {
    const { db, url } = await open();
    await seedPolls(
      db,
      polls.map((id) => ({ id })),
    );
    // SQLite serves one process: there, both apps share the database handle.
    const second = engine === 'PostgreSQL' ? openDatabase(url) : db;
    if (second !== db) closing.push(() => second.destroy());
    const apps = [await startTestApp(db), await startTestApp(second)] as const;
    closing.push(...apps.map((app) => () => app.close()));
    return { db, apps };
  }

  test(`[S3.16 D7.3 D7.7] ${many} votes and ${many} comments of one member at once, through two processes, count exactly and earn each badge once`, async () => {
    const { db, apps } = await startTwo();
    const anna = await registered(apps[0], 'anna');
    const ben = await registered(apps[1], 'ben');
    const { id } = await made(ben);
    const clients = apps.map((app) => at(app, anna));
    const answers = await Promise.all(
      polls.flatMap((poll, n) => {
        const client = clients[n % 2]!;
        return [
          ask(client, `/api/polls/${poll}/vote`, 'POST', { optionId: 'o1' }),
          ask(client, `/api/community-polls/${id}/comments`, 'POST', { content: `Comment ${n}` }),
          ask(client, '/api/user/opened', 'POST', { kind: 'poll', id: poll }),
          ask(client, '/api/user/shares', 'POST', { kind: 'poll', id: polls[n % 5] }),
          ...(n % 10 === 0 ? [ask(client, '/api/user/summary')] : []),
        ];
      }),
    );
    expect(answers.filter(({ status }) => status >= 300).map(({ body }) => body)).toEqual([]);
    await Promise.all([
      awardAll(db),
      awardAll(db),
      ask(clients[0]!, '/api/user/summary'),
      ask(clients[1]!, '/api/user/summary'),
    ]);
    await awardAll(db);
    expect((await progressFor(db, anna.user.id)).counts).toMatchObject({
      votes: many,
      comments: many,
      openedPolls: many,
      shares: 5,
    });
    expect(await badgesOf(db, anna.user.id)).toEqual(
      expect.arrayContaining([
        'votes_1',
        'votes_10',
        'weekly_votes_25',
        'comments_25',
        'opened_50',
        'shares_5',
        'hat_trick',
      ]),
    );
    expect((await progressFor(db, ben.user.id)).mostComments).toBe(many);
    expect(await badgesOf(db, ben.user.id)).toContain('hot_topic');
    await expectAllAwarded(db);
    await expectExactCounters(db);
  }, 60_000);

  test('many votes at once on one poll earn its creator the viral badge once', async () => {
    const { db, apps } = await startTwo();
    const anna = await registered(apps[0], 'anna');
    const { id } = await made(anna);
    await Promise.all(Array.from({ length: 120 }, (_, n) => castVote(visitor(apps[n % 2]!), id)));
    await Promise.all([awardAll(db), awardAll(db), awardAll(db)]);
    expect((await progressFor(db, anna.user.id)).mostVotes).toBe(120);
    expect(await badgesOf(db, anna.user.id)).toContain('viral_poll');
    await expectAllAwarded(db);
  });

  test('deleting polls while members vote on them loses no vote', async () => {
    const { db, apps } = await startTwo();
    const [anna, ben] = [await registered(apps[0], 'anna'), await registered(apps[1], 'ben')];
    const own = await Promise.all(Array.from({ length: 8 }, () => made(anna)));
    const votes = await Promise.all(
      own.flatMap(({ id }) => [castVote(ben, id), ask(anna, `/api/community-polls/${id}`, 'DELETE')]),
    );
    const cast = votes.filter(({ status }) => status === 200).length;
    await awardAll(db);
    expect((await progressFor(db, ben.user.id)).counts.votes).toBe(cast);
    await expectAllAwarded(db);
    await expectExactCounters(db);
  });

  test('members who are deleted while badges are awarded to them leave nothing behind', async () => {
    const { db, apps } = await startTwo();
    const people = await Promise.all(['anna', 'ben', 'cleo'].map((name) => registered(apps[0], name)));
    const own = await Promise.all(people.map((member) => made(member)));
    const answers = await Promise.all(
      people.flatMap((member) => [
        ...own.map(({ id }) => castVote(member, id)),
        ...own.map(({ id }) => ask(member, `/api/community-polls/${id}/comments`, 'POST', { content: 'Bye' })),
        ...polls.slice(0, 5).map((poll) => ask(member, `/api/polls/${poll}/vote`, 'POST', { optionId: 'o1' })),
        ask(member, '/api/user/summary'),
        ask(member, '/api/user', 'DELETE', { username: member.user.username, password: testPassword }),
        awardBadges({ db, clock: apps[0].clock }, member.user.id),
      ]),
    );
    const wrong = answers.filter((answer) => 'status' in answer && answer.status >= 500);
    expect(wrong.map((answer) => 'body' in answer && answer.body)).toEqual([]);
    await awardAll(db);
    for (const table of ['users', 'badges']) expect(await db(table), table).toEqual([]);
    expect(await db('events').whereNotNull('member_id')).toEqual([]);
    await expectExactCounters(db);
  }, 60_000);
});

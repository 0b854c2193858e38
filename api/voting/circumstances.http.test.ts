import { afterEach, expect, test } from 'vitest';
import { recountAll } from './reconcile.service.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { accountAgeMask, circumstances, cookieTrait } from '#domain/integrity/vote-traits.ts';
import { seenCookie, withSeenPoll } from '#domain/seen-results.ts';
import type { Database } from '#platform/database.ts';

let app: TestApp;
afterEach(() => app.close());

/** A browser that has looked at the results of these polls. */
function looked(...ids: readonly string[]) {
  const browser = visitor(app);
  const value = ids.reduce((seen, id) => withSeenPoll(`${seenCookie}=${seen}`, id), '');
  browser.cookies.set(seenCookie, value);
  return browser;
}

const vote = (browser: ReturnType<typeof visitor>, optionId: string, id = 'p') =>
  ask<Poll>(browser, `/api/polls/${id}/vote`, 'POST', { optionId });
const countsOf = async (db: Database) =>
  (await db('ballot_options').where({ ballot_id: 'p' }).orderBy('position').pluck('votes_after_results')).map(Number);

eachDatabase((open) => {
  test('votes of browsers that looked at the results first are counted, and counted apart by option', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p', votes: [5, 0, 0] }, { id: 'q' }]);
    app = await startTestApp(db);
    const poll = async (id = 'p') => (await ask<Poll>(visitor(app), `/api/polls/${id}`)).body;
    expect(await poll()).not.toHaveProperty('votesApart');
    const twice = looked('q', 'p');
    const answers = await Promise.all([
      vote(visitor(app), 'o1'),
      vote(visitor(app), 'o2'),
      vote(twice, 'o2'),
      vote(looked('p'), 'o2'),
      vote(looked('p'), 'o1'),
      // The results of another poll.
      vote(looked('q'), 'o1'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    for (const { body } of answers) expect(body).not.toHaveProperty('votesApart');
    expect(await countsOf(db)).toEqual([1, 2, 0]);
    // A vote that isn’t recorded changes nothing.
    expect([(await vote(twice, 'o1')).status, (await vote(looked('p'), 'none')).status]).toEqual([409, 400]);
    expect(await countsOf(db)).toEqual([1, 2, 0]);
    expect(await poll()).toMatchObject({ totalVotes: 11, votesApart: { afterResults: 3 } });
    expect(await poll('q')).not.toHaveProperty('votesApart');
    const traits = await db('votes').pluck<number[]>('traits');
    expect(traits.filter((bits) => (bits & circumstances.afterResults.trait) !== 0)).toHaveLength(3);
    await expectExactCounters(db);
  });

  test('a ballot in another site’s page has a cookie of its own, and its votes count apart and are never established', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
    const config = { embedVotingSites: ['https://news.example'] };
    app = await startTestApp(db, { config });
    const embedded = { 'x-embedded': '1' };
    const inEmbed = (browser: ReturnType<typeof visitor>, id: string, headers = {}) =>
      ask<Poll>(browser, `/api/polls/${id}/vote`, 'POST', { optionId: 'o1' }, { ...embedded, ...headers });
    const reader = visitor(app);
    const first = await inEmbed(reader, 'p');
    expect(first.status).toBe(200);
    const [cookie = '', ...others] = first.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^wv_embed=[0-9a-z]{30,43}\.[\w-]{43}; path=\/; max-age=34560000; httponly; samesite=none; secure; partitioned$/,
    );
    // The cookie identifies the browser in embeds, and nowhere else.
    const another = visitor(app);
    another.cookies.set('wv_embed', reader.cookies.get('wv_embed')!);
    expect((await inEmbed(another, 'p')).status).toBe(409);
    expect((await ask<Poll>(another, '/api/polls/p', 'GET', undefined, embedded)).body.hasVoted).toBe(true);
    expect((await ask<Poll>(another, '/api/polls/p')).body.hasVoted).toBe(false);
    // Where the browser keeps both cookies for both sites, the voter cookie does, too.
    const anna = await registered(app, 'anna');
    expect((await vote(anna, 'o2')).status).toBe(200);
    const same = visitor(app);
    same.cookies.set('wv_voter', anna.cookies.get('wv_voter')!);
    expect((await inEmbed(same, 'p')).status).toBe(409);
    // Neither a cookie nor an account is a trait of the vote.
    expect([(await inEmbed(reader, 'q')).status, (await inEmbed(anna, 'q')).status]).toEqual([200, 200]);
    const rows = await db('votes').orderBy('id').select('traits', 'user_id');
    const apart = rows.filter(({ traits }) => ((traits ?? 0) & circumstances.embedded.trait) !== 0);
    expect(apart.map(({ traits, user_id }) => [(traits ?? 0) & (cookieTrait | accountAgeMask), user_id])).toEqual(
      apart.map(() => [0, null]),
    );
    expect((await ask<Poll>(visitor(app), '/api/polls/q')).body).toMatchObject({
      totalVotes: 2,
      votesApart: { embedded: 2 },
    });
    // From a sandbox, and from other sites.
    for (const headers of [{ origin: 'null' }, { origin: 'https://news.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await inEmbed(visitor(app), 'q', headers)).status).toBe(403);
    await expectExactCounters(db);
    await app.close();
    app = await startTestApp(db);
    const refused = await inEmbed(visitor(app), 'q');
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'FORBIDDEN_ORIGIN' }]);
    expect(refused.headers.getSetCookie()).toEqual([]);
    await expectExactCounters(db);
  });

  test('a wrong count of votes after results is found, and a recount mends it', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    app = await startTestApp(db);
    expect((await vote(looked('p'), 'o2')).status).toBe(200);
    await db('ballot_options').where({ ballot_id: 'p' }).update({ votes_after_results: 3 });
    const wrong = ['o1', 'o2', 'o3'].map((option) => [`votes_after_results of option p/${option}`, 3]);
    const found = await recountAll(db);
    expect(found.map(({ counter, counted }) => [counter, counted])).toEqual(wrong);
    expect(await countsOf(db)).toEqual([0, 1, 0]);
    await expectExactCounters(db);
  });

  test('held votes are counted apart like others', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p' }]);
    await db('ballots').where({ id: 'p' }).update({ challenge: 'on' });
    app = await startTestApp(db);
    const held = await ask(looked('p'), '/api/held-votes', 'POST', { pollId: 'p', optionId: 'o2' });
    const other = await ask(visitor(app), '/api/held-votes', 'POST', { pollId: 'p', optionId: 'o2' });
    expect([held.status, other.status]).toEqual([200, 200]);
    expect(await countsOf(db)).toEqual([0, 1, 0]);
    await expectExactCounters(db);
  });

  test('on a community poll the number is shown to those who see the results', async () => {
    const { db } = await open();
    app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const { id } = await made(anna, {});
    expect((await castVote(looked(id), id)).status).toBe(200);
    const { status, body } = await castVote(looked(id), id, 'option-2');
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('votesApart');
    const seenBy = async (browser: ReturnType<typeof visitor>) =>
      (await ask<CommunityPoll>(browser, `/api/community-polls/${id}`)).body.votesApart?.afterResults;
    expect([await seenBy(anna), await seenBy(visitor(app))]).toEqual([2, undefined]);
  });
});

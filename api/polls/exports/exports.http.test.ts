import { afterEach, describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { ask, castVote as vote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { castVotes, closeBallot, logWriter } from '#api/testing/vote-logs.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { headerText } from '#site/client/api.ts';

const clock = fixedClock(testNow);
let app: TestApp;
afterEach(() => app.close());

const header =
  'id,question,description,options,is_active,created_at,starts_at,ends_at,tags,analysis,country_breakdown,series,publish_ballots,closed_at,updated_at';
const option = (id: string, votes: number) => `{""id"":""${id}"",""text"":""=${id}"",""votes"":${votes}}`;
const rows = [
  `-open,=1+1?,"A, ""b""\nc","[${option('a', 3)},${option('b', 1)}]",true,2026-11-01,2026-11-01,2026-12-24,"x, y",<p>Hi</p>,"[{""name"":""Peru"",""percentage"":5}]",Weekly,no,,2026-11-02T03:04:05.678Z`,
  `closed,Over?,D,"[${option('a', 3)},${option('b', 1)}]",false,2026-11-01,2026-11-01,2026-11-10,,,,,yes,2026-11-05,`,
  `later,Soon?,D,"[${option('a', 0)},${option('b', 0)}]",true,2026-11-01,2026-12-01,2026-12-24,,,,,,,`,
];

async function start(db: Database): Promise<void> {
  const source = Readable.from([Buffer.from([header, ...rows].join('\n'))]);
  expect(await importPolls({ db, clock, source })).toMatchObject({ inserted: 3, rejected: 0 });
  app = await startTestApp(db, { clock });
}

const file = async (path: string) => {
  const headers = { [adminPasswordHeader]: headerText(testAdminPassword) };
  const response = await app.fetch(`/api/admin/exports/${path}`, { headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

oneDatabase((open) => {
  describe('exports', () => {
    test('of polls as CSV can be imported again, here and elsewhere, and change nothing', async () => {
      const { db } = await open();
      await start(db);
      await castVotes(db, 'closed', 'a', 5);
      const { text, type } = await file('polls.csv');
      expect(type).toBe('text/csv; charset=utf-8');
      expect(text).toContain(`\n'-open,'=1+1?,`);
      const take = (db: Database) => importPolls({ db, clock, source: Readable.from([Buffer.from(text)]) });
      expect(await take(db)).toMatchObject({ inserted: 0, updated: 0, unchanged: 3, rejected: 0, warnings: [] });
      const { db: other } = await open();
      expect(await take(other)).toMatchObject({ inserted: 3, rejected: 0 });
      expect(await db('polls').where({ question: '=1+1?' })).toHaveLength(1);
      const texts = (one: Database) => one('polls').orderBy('id');
      expect(await texts(other)).toEqual(await texts(db));

      await db('polls').where({ id: 'later' }).update({ description: '' });
      const source = () => Readable.from([Buffer.from(undescribed)]);
      const { text: undescribed } = await file('polls.csv');
      expect(await importPolls({ db, clock, source: source() })).toMatchObject({ unchanged: 3, rejected: 0 });
      await other('polls').where({ id: 'later' }).del();
      await other('ballots').where({ id: 'later' }).del();
      expect(await importPolls({ db: other, clock, source: source(), dryRun: true })).toMatchObject({
        ...{ unchanged: 2, rejected: 1, errors: [{ column: 'description', code: 'required' }] },
      });
    });

    test('of results have one row per option, filtered by state or poll', async () => {
      const { db } = await open();
      await start(db);
      await castVotes(db, 'closed', 'a', 4);
      const rowsOf = async (query: string) =>
        JSON.parse((await file(`results.json?${query}`)).text) as Record<string, unknown>[];
      expect((await rowsOf('state=closed')).map((row) => [row.poll_id, row.option_id, row.votes, row.percent])).toEqual(
        [
          ['closed', 'a', 7, 87.5],
          ['closed', 'b', 1, 12.5],
        ],
      );
      const ids = async (query: string) => [...new Set((await rowsOf(query)).map((row) => row.poll_id))];
      expect(await ids('')).toEqual(['-open', 'closed', 'later']);
      expect(await ids('state=open')).toEqual(['-open']);
      expect(await ids('state=scheduled')).toEqual(['later']);
      expect(await ids('poll=later')).toEqual(['later']);
      expect((await file('results.csv?poll=missing')).status).toBe(404);
      expect((await file('votes.csv')).status).toBe(404);
      await db('ballot_options').where({ ballot_id: 'closed', option_id: 'a' }).update({ votes_after_results: 2 });
      expect((await file('results.csv?state=closed')).text.split('\r\n')[1]).toMatch(
        /^closed,Over\?,closed,.*,a,'=a,1,7,87\.5,3,8,0,2,0,0,0,,,,,$/,
      );
      const key = db('ballots').where({ id: 'closed' }).select('key');
      await db('independent_votes').insert({ ballot_key: key, votes: '{"a":4}', counted_at: 0, final: true });
      expect((await file('results.csv?state=closed')).text.split('\r\n')[1]).toMatch(/,8,0,2,0,0,0,4,,,,$/);
    });

    test('of ballots have what is published, and no digest', async () => {
      const { db } = await open();
      await start(db);
      await seedPolls(db, [{ id: 'tea', votes: [5, 0] }]);
      const later = fixedClock(testNow);
      const writer = logWriter(db, later);
      await tick(writer);
      await castVotes(db, 'tea', 'o2', 12);
      later.set(testNow + 3_600_000);
      await tick(writer);
      await closeBallot(db, 'tea', later.now());
      await tick(writer);
      const { text } = await file('ballots.csv');
      const [head, ...lines] = text.trimEnd().split('\r\n');
      expect(head).toBe('poll_id,version,receipt,option_id,batch,status,decision');
      expect(lines).toHaveLength(12);
      for (const line of lines) expect(line).toMatch(/^tea,1,[^,]+,o2,1,counted,$/);
      expect(JSON.parse((await file('ballots.json?poll=later')).text)).toEqual([]);
      expect(JSON.parse((await file('ballots.json?source=community')).text)).toEqual([]);
    });

    test('of community polls have only public ones, without creators, and results only where everyone sees them', async () => {
      const { db } = await open();
      await start(db);
      const anna = await registered(app, 'anna');
      const created = async (question: string, more: object) => {
        const { id } = await made(anna, { question, ...more });
        await vote(visitor(app), id);
        return id;
      };
      const shown = await created('Always?', { resultVisibility: 'always' });
      const [closed, hidden] = [
        await created('Closed?', {}),
        await created('Hidden?', { resultVisibility: 'creator' }),
      ];
      await created('After voting?', {});
      const secret = await created('Private?', { visibility: 'private' });
      await created('Unlisted?', { visibility: 'unlisted' });
      for (const id of [closed, hidden]) await ask(anna, `/api/community-polls/${id}/close`, 'POST');
      const rows = async (path: string) =>
        JSON.parse((await file(`${path}source=community`)).text) as Record<string, unknown>[];
      expect(new Set((await rows('polls.json?')).map(({ question }) => question))).toEqual(
        new Set(['Always?', 'Closed?', 'Hidden?', 'After voting?']),
      );
      expect((await rows('polls.json?state=closed&')).map(({ id }) => id).sort()).toEqual([closed, hidden].sort());
      const { text } = await file('polls.csv?source=community');
      expect(text).not.toContain('anna');
      expect((await file('polls.csv')).text).not.toContain('Always?');
      const results = Map.groupBy(await rows('results.json?'), ({ question }) => question);
      const counts = Object.fromEntries(
        [...results].map(([question, options]) => [
          question,
          options.map(({ votes, total_votes }) => [votes, total_votes]),
        ]),
      );
      const pairs = (...votes: (number | null)[]) => votes.map((count) => [count, 1]);
      const [counted, blank] = [pairs(1, 0), pairs(null, null)];
      expect(counts).toEqual({ 'Always?': counted, 'Closed?': counted, 'Hidden?': blank, 'After voting?': blank });
      expect((await rows(`results.json?poll=${shown}&`)).map(({ votes }) => votes)).toEqual([1, 0]);
      for (const query of [`poll=${secret}&source=community`, `poll=${shown}`])
        expect((await file(`results.json?${query}`)).status).toBe(404);
    });

    test('need the operator’s password', async () => {
      const { db } = await open();
      await start(db);
      expect((await app.fetch('/api/admin/exports/polls.csv')).status).toBe(401);
    });
  });
});

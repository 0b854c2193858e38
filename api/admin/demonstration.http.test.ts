import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Comment } from '#api/comments/comments.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { importColumns } from '#api/polls/import/poll-import.contract.ts';
import type { ImportColumn } from '#api/polls/import/poll-import.contract.ts';
import type { HistoricalPage, Poll } from '#api/polls/polls.contract.ts';
import {
  demonstrationComment,
  demonstrationCommunityPolls,
  demonstrationMembers,
} from '#content/demo/community-polls.ts';
import { demonstrationAuthor, demonstrationNotes, demonstrationPolls, demonstrationTag } from '#content/demo/polls.ts';
import { protectionOf } from '#domain/protection.ts';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { loadDemonstration } from './demonstration.service.ts';

const day = 86_400_000;

async function get<T>(db: Database, at: number, path: string): Promise<T> {
  const app = await startTestApp(db, { clock: fixedClock(at) });
  const response = await app.fetch(path);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as T;
  await app.close();
  return answer;
}

eachDatabase((open, _engine, once) => {
  once.each([testNow, testNow + 11.5 * 3_600_000, Date.parse('2028-02-29T00:00:00Z')])(
    '[D1.12] a first start at any time (%d) has eight open polls with three options, ending over the next month',
    async (now) => {
      const { db } = await open();
      expect(await loadDemonstration(db, fixedClock(now))).toBe(demonstrationPolls.length);
      const polls = await get<Poll[]>(db, now, '/api/polls/active');
      expect(polls).toHaveLength(8);
      for (const poll of polls) {
        expect(poll.options).toHaveLength(3);
        expect(Date.parse(poll.startsAt)).toBeLessThan(now);
        expect(Date.parse(poll.endsAt)).toBeGreaterThan(now + day);
        expect(Date.parse(poll.endsAt)).toBeLessThan(now + 32 * day);
      }
      const archive = await get<HistoricalPage>(db, now, '/api/polls/historical/paginated');
      expect(archive.total).toBe(demonstrationPolls.length - 8);
      await expectExactCounters(db);
    },
  );

  test('[D3.3] neither demonstration polls nor the votes on them count toward any total, but their voters are participants', async () => {
    const { db } = await open();
    await loadDemonstration(db, fixedClock(testNow));
    const nothing = { totalVotes: 0, importedVotes: 0, totalParticipants: 0, totalPolls: 0 };
    expect(await get(db, testNow, '/api/statistics')).toEqual(nothing);
    const app = await startTestApp(db);
    const [poll] = (await (await visitor(app).fetch('/api/polls/active')).json()) as Poll[];
    const vote = { method: 'POST', json: { optionId: poll?.options[0]?.id } };
    expect((await visitor(app).fetch(`/api/polls/${poll?.id}/vote`, vote)).status).toBe(200);
    await app.close();
    expect(await get(db, testNow, '/api/statistics')).toEqual({ ...nothing, totalParticipants: 1 });
    await expectExactCounters(db);
  });

  once('[D1.12] every demonstration poll is labeled as one', async () => {
    const { db } = await open();
    await loadDemonstration(db, fixedClock(testNow));
    const polls = await db('polls').select();
    expect(polls).toHaveLength(demonstrationPolls.length);
    expect(demonstrationTag).toBe('demonstration');
    expect(demonstrationNotes).toMatch(/^Demo data: .* its starting counts were invented/);
    for (const poll of polls) {
      expect(Boolean(poll.demonstration)).toBe(true);
      expect(poll.methodology_notes).toBe(demonstrationNotes);
      expect(JSON.parse(poll.tags)).toContain(demonstrationTag);
      expect([demonstrationAuthor, null]).toContain(poll.author);
    }
  });

  once('[D1.12] a database with polls gets no demonstration polls', async () => {
    const { db } = await open();
    await loadDemonstration(db, fixedClock(testNow));
    expect(await loadDemonstration(db, fixedClock(testNow + day))).toBe(0);
    await db('polls').whereNot({ id: 'demo-first-poll' }).delete();
    expect(await loadDemonstration(db, fixedClock(testNow))).toBe(0);
  });

  test('processes that start concurrently load it once', async () => {
    const { db, url } = await open();
    const others = [openDatabase(url), openDatabase(url)];
    try {
      const loaded = await Promise.all([db, ...others].map((handle) => loadDemonstration(handle, fixedClock(testNow))));
      expect(loaded.toSorted((a, b) => a - b)).toEqual([0, 0, demonstrationPolls.length]);
      await expectExactCounters(db);
    } finally {
      await Promise.all(others.map((handle) => handle.destroy()));
    }
  });

  once(
    'the community polls fill two pages: two are featured, one is closed, one has not started, some have comments',
    async () => {
      const { db } = await open();
      await loadDemonstration(db, fixedClock(testNow));
      const polls = await get<CommunityPoll[]>(db, testNow, '/api/community-polls?limit=50');
      expect(polls).toHaveLength(demonstrationCommunityPolls.length);
      expect(polls.length).toBeGreaterThan(limits.communityPageSize);
      expect(polls.filter(({ featured }) => featured)).toHaveLength(2);
      expect(polls.filter(({ isActive }) => !isActive)).toHaveLength(1);
      expect(polls.filter(({ startsAt }) => Date.parse(startsAt) > testNow)).toHaveLength(1);
      expect(polls.filter(({ commentCount }) => commentCount > 1).length).toBeGreaterThan(2);
      await expectExactCounters(db);
    },
  );

  once('every demonstration community poll is labeled as one, and nobody can sign in to its accounts', async () => {
    const { db } = await open();
    await loadDemonstration(db, fixedClock(testNow));
    for (const poll of await get<CommunityPoll[]>(db, testNow, '/api/community-polls?limit=50')) {
      expect(poll.tags).toEqual([demonstrationTag]);
      expect(poll.createdByName).toBe(demonstrationAuthor);
      const comments = await get<Comment[]>(db, testNow, `/api/community-polls/${poll.id}/comments`);
      expect(comments.at(-1)?.content).toBe(demonstrationComment);
    }
    const app = await startTestApp(db);
    for (const { username } of Object.values(demonstrationMembers))
      for (const password of ['', ' ', username, '\0'.repeat(32)]) {
        const response = await visitor(app).fetch('/api/login', { method: 'POST', json: { username, password } });
        expect([400, 401]).toContain(response.status);
      }
    await app.close();
  });

  once('when a username is taken, the weekly polls are loaded without the community polls', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const { user } = await registered(app, demonstrationMembers.reader.username);
    await app.close();
    expect(await loadDemonstration(db, fixedClock(testNow))).toBe(demonstrationPolls.length);
    expect(await db('users').pluck('id')).toEqual([user.id]);
    expect(await db('community_polls').pluck('id')).toEqual([]);
    await expectExactCounters(db);
  });

  once(
    'it satisfies the rules of an import: the same polls as a CSV file change nothing and raise no warning',
    async () => {
      const { db } = await open();
      await loadDemonstration(db, fixedClock(testNow));
      const rows = await db('polls').join('ballots', 'ballots.id', 'polls.id').select<Record<string, unknown>[]>();
      const options = await db('ballot_options')
        .orderBy('position')
        .select<{ ballot: string; id: string; text: string; votes: number }[]>(
          'ballot_id as ballot',
          'option_id as id',
          'text',
          'votes',
        );
      const valueOf = (row: Record<string, unknown>, column: ImportColumn): string => {
        const value = row[column];
        if (column === 'options')
          return JSON.stringify(
            options.filter(({ ballot }) => ballot === row.id).map(({ id, text, votes }) => ({ id, text, votes })),
          );
        if (column === 'protection') return protectionOf(Number(value));
        if (column === 'is_active') return value ? 'true' : 'false';
        if (column.endsWith('_at') && typeof value === 'number') return new Date(value).toISOString();
        return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      };
      const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      const file = [
        line(importColumns),
        ...rows.map((row) => line(importColumns.map((column) => valueOf(row, column)))),
      ];
      expect(
        await importPolls({ db, clock: fixedClock(testNow), source: Readable.from([Buffer.from(file.join('\n'))]) }),
      ).toMatchObject({ unchanged: demonstrationPolls.length, imported: 0, rejected: 0, errors: [], warnings: [] });
    },
  );
});

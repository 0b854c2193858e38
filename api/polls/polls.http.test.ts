import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { HistoricalPage, Poll } from './polls.contract.ts';
import { historicalSorts } from '#contract/vocabulary.ts';
import { compileSchema } from '#platform/validation.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const day = 86_400_000;
const closed = (days: number) => ({ closedAt: testNow - days * day, startsAt: testNow - (days + 7) * day });

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  async function withPolls(seeds: Parameters<typeof seedPolls>[1]) {
    const { db } = await open();
    await seedPolls(db, seeds);
    app = await startTestApp(db);
    return { db, app };
  }
  // The caller names the expected type; the contract's tests check shapes.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  const json = async <T>(path: string) => {
    const response = await app!.fetch(path);
    return { status: response.status, body: (await response.json()) as T, headers: response.headers };
  };

  test('[S1.1 S3.3 S7.10 D10.7] only polls that are open right now are this week’s polls', async () => {
    await withPolls([
      { id: 'open' },
      { id: 'later', startsAt: testNow + 1, endsAt: testNow + day },
      { id: 'just-ended', endsAt: testNow },
      { id: 'starts-now', startsAt: testNow },
      { id: 'report', ...closed(3) },
    ]);
    const { body, headers, status } = await json<Poll[]>('/api/polls/active?v=2&t=1');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.map(({ id }) => id)).toEqual(['starts-now', 'open']);
    expect(compileSchema(endpoints.activePolls.response, 'json')(body)).toBe(true);
    expect(body[0]).toMatchObject({ hasVoted: false, userVote: null, isActive: true, closedAt: null });
  });

  test('[S3.2 S3.5 S7.14] one poll is found by its id, open and closed', async () => {
    await withPolls([
      { id: 'open', votes: [3, 4] },
      { id: 'report', ...closed(3) },
    ]);
    const { body } = await json<Poll>('/api/polls/open');
    expect(compileSchema(endpoints.poll.response, 'json')(body)).toBe(true);
    expect(body).toMatchObject({
      id: 'open',
      totalVotes: 7,
      question: 'What about open?',
      isActive: true,
      closedAt: null,
    });
    expect(body.options).toEqual([
      { id: 'o1', text: 'Answer 1', votes: 3 },
      { id: 'o2', text: 'Answer 2', votes: 4 },
    ]);
    expect((await json<Poll>('/api/polls/report')).body).toMatchObject({
      id: 'report',
      isActive: false,
      closedAt: new Date(testNow - 3 * day).toISOString(),
    });
  });

  once('[S4.3 D4.2] a poll whose end has passed is shown as closed before the sweep has closed it', async () => {
    await withPolls([{ id: 'ended', endsAt: testNow - 5 }]);
    const { body } = await json<Poll>('/api/polls/ended');
    expect(body).toMatchObject({ isActive: false, closedAt: new Date(testNow - 5).toISOString() });
  });

  const hour = 3_600_000;
  const headers = { 'content-type': 'application/json', 'x-device-id': 'device_abcdefghij0123456789' };
  const vote = async (id: string) => {
    const init = { method: 'POST', headers, body: JSON.stringify({ optionId: 'o1' }) };
    const response = await app!.fetch(`/api/polls/${id}/vote`, init);
    return { status: response.status, body: (await response.json()) as { code: string } };
  };

  test('[D4.5] before its start every endpoint treats a poll as missing, and from its start on like any other', async () => {
    await withPolls([
      { id: 'open', category: 'Science', votes: [3, 4] },
      { id: 'report', category: 'Science', ...closed(3) },
      { id: 'coming', category: 'Science', votes: [9, 9], startsAt: testNow + hour, endsAt: testNow + day },
    ]);
    const [coming, missing] = await Promise.all(['coming', 'nothing'].map((id) => json(`/api/polls/${id}`)));
    expect(coming).toMatchObject({ status: 404, body: { code: 'POLL_NOT_FOUND' } });
    expect(coming!.body).toEqual(missing!.body);
    expect([...coming!.headers.keys()]).toEqual([...missing!.headers.keys()]);
    expect(await vote('coming')).toEqual(await vote('nothing'));
    expect(await vote('coming')).toMatchObject({ status: 404, body: { code: 'POLL_NOT_FOUND' } });

    for (const path of [
      '/api/polls/active',
      '/api/polls/historical/paginated',
      '/api/polls/related/Science/report',
      '/api/community-polls?visibility=public',
      '/api/community-polls/coming',
      '/api/statistics',
    ])
      expect([path, JSON.stringify((await json(path)).body)]).not.toEqual([path, expect.stringContaining('coming')]);
    const figures = async () => (await json('/api/statistics')).body;
    expect(await figures()).toEqual({ totalVotes: 7, importedVotes: 7, totalParticipants: 0, totalPolls: 2 });

    app!.clock.set(testNow + hour);
    expect(await json('/api/polls/coming')).toMatchObject({ status: 200, body: { id: 'coming', isActive: true } });
    expect((await json<Poll[]>('/api/polls/active')).body.map(({ id }) => id)).toEqual(['coming', 'open']);
    expect(await figures()).toEqual({ totalVotes: 25, importedVotes: 25, totalParticipants: 0, totalPolls: 3 });
    expect((await vote('coming')).status).toBe(200);
  });

  test('[D4.5] a poll postponed after a vote is missing for its voter, too, and keeps the vote', async () => {
    const { db } = await withPolls([{ id: 'put-off' }]);
    expect((await vote('put-off')).status).toBe(200);
    await db('ballots')
      .where({ id: 'put-off' })
      .update({ starts_at: testNow + hour });
    expect(await vote('put-off')).toMatchObject({ status: 404, body: { code: 'POLL_NOT_FOUND' } });
    expect((await app!.fetch('/api/polls/put-off', { headers })).status).toBe(404);
    app!.clock.set(testNow + hour);
    const found = (await (await app!.fetch('/api/polls/put-off', { headers })).json()) as Poll;
    expect(found).toMatchObject({ totalVotes: 1, hasVoted: true, userVote: 'o1' });
  });

  once('[D4.4] a missing poll and an id that cannot exist are both POLL_NOT_FOUND', async () => {
    await withPolls([]);
    for (const id of ['nothing', 'a%20b', 'x'.repeat(81)]) {
      const { status, body } = await json<{ code: string }>(`/api/polls/${id}`);
      expect([status, body.code]).toEqual([404, 'POLL_NOT_FOUND']);
    }
  });

  test('[S2.25 S3.9 S7.13 D4.8] the archive is paged, has four sort orders, and is counted without reading every poll', async () => {
    const { db } = await withPolls(
      Array.from({ length: 12 }, (_, index) => ({
        id: `p${String(index).padStart(2, '0')}`,
        ...closed(index + 1),
        votes: [index * 10, 1],
        category: index % 3 === 0 ? 'everyday-life' : 'World News',
      })),
    );
    const page = await json<HistoricalPage>('/api/polls/historical/paginated?page=1&limit=9&sort=newest');
    expect(compileSchema(endpoints.historicalPolls.response, 'json')(page.body)).toBe(true);
    expect(page.body.polls.map(({ id }) => id)).toEqual(Array.from({ length: 9 }, (_, index) => `p0${index}`));
    expect(page.body).toMatchObject({ total: 12, categories: ['all', 'everyday-life', 'World News'] });

    const ids = async (query: string) =>
      (await json<HistoricalPage>(`/api/polls/historical/paginated?${query}`)).body.polls.map(({ id }) => id);
    expect(await ids('page=2&limit=9')).toEqual(['p09', 'p10', 'p11']);
    expect(await ids('sort=oldest&limit=2')).toEqual(['p11', 'p10']);
    expect(await ids('sort=most-voted&limit=2')).toEqual(['p11', 'p10']);
    expect(await ids('sort=least-voted&limit=2')).toEqual(['p00', 'p01']);
    expect(await ids('category=everyday-life')).toEqual(['p00', 'p03', 'p06', 'p09']);
    expect(await ids('category=all&limit=1')).toEqual(['p00']);
    // Including pages read from the end, in every order, with an incomplete last page.
    for (const sort of historicalSorts) {
      const all = await ids(`sort=${sort}&limit=50`);
      const pages = await Promise.all([1, 2, 3, 4].map((number) => ids(`sort=${sort}&limit=5&page=${number}`)));
      expect(pages).toEqual([all.slice(0, 5), all.slice(5, 10), all.slice(10), []]);
    }

    const past = await json<HistoricalPage>('/api/polls/historical/paginated?page=99&category=World+News');
    expect(past.body).toMatchObject({ polls: [], total: 8 });
    // The total comes from the counters.
    await db('archive_categories').where({ category: 'World News' }).update({ closed_polls: 8_000 });
    const counted = async (query: string) =>
      (await json<HistoricalPage>(`/api/polls/historical/paginated?${query}`)).body.total;
    expect([await counted('category=World+News'), await counted('limit=1')]).toEqual([8_000, 8_004]);
  });

  once.each(['page=0', 'page=-1', 'page=x', 'limit=0', 'limit=51', 'sort=random', 'colour=red'])(
    '[D4.8 D10.1] the archive refuses %s and names the field',
    async (query) => {
      await withPolls([]);
      const { status, body } = await json<{ code: string; errors: { field: string }[] }>(
        `/api/polls/historical/paginated?${query}`,
      );
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors[0]?.field).toBe(query.split('=')[0]);
    },
  );

  test('[S2.50 S3.10 S7.15 S9.3 S9.4 D4.7 D10.7] related polls are the six most voted closed ones of the category, without the poll itself', async () => {
    await withPolls([
      ...Array.from({ length: 8 }, (_, index) => ({
        id: `r${index}`,
        ...closed(index + 1),
        votes: [index, 0],
        category: 'Business & Finance',
      })),
      { id: 'open', category: 'Business & Finance', votes: [900, 0] },
      { id: 'other', ...closed(1), votes: [900, 0], category: 'Science' },
    ]);
    const { body, headers } = await json<{ id: string }[]>(
      `/api/polls/related/${encodeURIComponent('Business & Finance')}/r7`,
    );
    expect(body.map(({ id }) => id)).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1']);
    expect(body[0]).toEqual({ id: 'r6', question: 'What about r6?', totalVotes: 6 });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  test('[S3.8 S7.11 D3.1 D3.6] the headline figures are the sums of the counters', async () => {
    const { db } = await withPolls([
      { id: 'a', votes: [1, 2] },
      { id: 'b', ...closed(2), votes: [4, 5] },
    ]);
    const { body, headers } = await json('/api/statistics?v=2&t=5');
    expect(body).toEqual({ totalVotes: 12, importedVotes: 12, totalParticipants: 0, totalPolls: 2 });
    expect(headers.get('cache-control')).toBe('no-store');
    // The figures come from the counters.
    await db('statistics').where({ shard: 3 }).update({ total_votes: 100, total_participants: 30, total_polls: 5 });
    await db('statistics').where({ shard: 9 }).update({ total_votes: 1_000, total_participants: 300, total_polls: 50 });
    const { body: counted } = await json('/api/statistics?v=2&t=6');
    expect(counted).toEqual({ totalVotes: 1_112, importedVotes: 12, totalParticipants: 330, totalPolls: 57 });
  });
});

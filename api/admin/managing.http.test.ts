import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ImportHistory, ImportRecord, UndoPreview } from '#api/polls/import/poll-import.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { ManagedPolls } from '#api/polls/managing.contract.ts';
import type { Poll, Statistics } from '#api/polls/polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { loadDemonstration } from './demonstration.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { askAdmin, voteOnce } from '#api/testing/operators.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { reconcile, recountAll } from '#api/voting/reconcile.service.ts';

const fixture = (name: string) => readFile(new URL(`../polls/import/fixtures/${name}.csv`, import.meta.url));
const hour = 3_600_000;
const iso = (moment: number) => new Date(moment).toISOString();

let app: TestApp;
afterEach(() => app.close());

const start = async (db: Database) => (app = await startTestApp(db, { clock: fixedClock(testNow) }));

// The caller names the expected type; the contract's tests check shapes.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const call = <T = ErrorBody>(path: string, { method = 'GET', json }: { method?: string; json?: object } = {}) =>
  askAdmin<T>(app, method, path, json);

async function upload(name: string): Promise<void> {
  const form = new FormData();
  form.set('password', testAdminPassword);
  form.set('csvFile', new File([new Uint8Array(await fixture(name))], `${name}.csv`, { type: 'text/csv' }));
  expect((await app.fetch('/api/polls/bulk-upload', { method: 'POST', body: form })).status).toBe(200);
}

const vote = (id: string, optionId: string) => voteOnce(app, id, optionId);
const close = (id: string) => call(`/api/admin/polls/${id}/close`, { method: 'POST' });
const reopen = (id: string, json: object = {}) => call(`/api/admin/polls/${id}/reopen`, { method: 'POST', json });
const edit = (id: string, json: object) => call(`/api/admin/polls/${id}`, { method: 'PATCH', json });
const poll = async (id: string) => (await call<Poll>(`/api/polls/${id}`)).body;
const changes = async (db: Database) =>
  (await waitingPages(db).orderBy('id').select<{ kind: string; key: string }[]>('kind', 'key')).map(
    ({ kind, key }) => `${kind} ${key}`,
  );

eachDatabase((open, _engine, once) => {
  describe('imports on the admin page', () => {
    once('are listed by page, and can be previewed and undone', async () => {
      const { db } = await open();
      await start(db);
      await upload('three-polls');
      await upload('three-polls-changed');
      const { body: history } = await call<ImportHistory>('/api/admin/imports?page=1');
      expect(history).toMatchObject({ page: 1, pages: 1, total: 2 });
      expect(history.imports.map(({ fileName, origin, undoable }) => [fileName, origin, undoable])).toEqual([
        ['three-polls-changed.csv', 'page', true],
        ['three-polls.csv', 'page', true],
      ]);
      const id = history.imports[0]?.id ?? '';
      const { body: preview } = await call<UndoPreview>(`/api/admin/imports/${id}/undo`);
      expect(preview).toMatchObject({ removed: 1, restored: 1, keptVoted: 0, keptChanged: 0, kept: [] });
      const undone = await call<ImportRecord>(`/api/admin/imports/${id}/undo`, { method: 'POST' });
      expect(undone).toMatchObject({ status: 200, body: { state: 'undone', undo: { removed: 1, restored: 1 } } });
      const again = await call(`/api/admin/imports/${id}/undo`, { method: 'POST' });
      expect([again.status, again.body.message]).toEqual([409, 'This import has already been undone.']);
      expect((await call('/api/admin/imports/999/undo')).status).toBe(404);
      expect((await call('/api/admin/imports?page=0')).status).toBe(400);
      expect((await call<ImportHistory>('/api/admin/imports?page=9')).body).toMatchObject({ imports: [], total: 2 });
      await expectExactCounters(db);
    });
  });

  describe('polls on the admin page', () => {
    const three = async (db: Database) => {
      await seedPolls(db, [
        { id: 'running', question: 'Is 100% of the_sky blue?', votes: [4, 0, 1], category: 'Science' },
        { id: 'coming', question: 'Snow?', startsAt: testNow + hour, endsAt: testNow + 2 * hour },
        { id: 'over', question: 'Rain?', closedAt: testNow - hour, category: 'Science' },
        { id: 'ended-just-now', endsAt: testNow - 1 },
      ]);
      await start(db);
    };
    const list = async (query = '') => (await call<ManagedPolls>(`/api/admin/polls${query}`)).body;
    const ids = async (query: string) => (await list(query)).polls.map(({ id }) => id);

    test('are listed with state, votes, and dates, and found by state, words, and id', async () => {
      const { db } = await open();
      await three(db);
      expect(await vote('running', 'o1')).toBe(200);
      const { polls, ...rest } = await list();
      expect(rest).toEqual({ page: 1, pages: 1, total: 4, demonstration: 0 });
      expect(polls.map(({ id, state }) => [id, state])).toEqual([
        ['running', 'open'],
        ['coming', 'scheduled'],
        ['ended-just-now', 'closed'],
        ['over', 'closed'],
      ]);
      expect(polls[0]).toMatchObject({ totalVotes: 6, votesHere: 1, category: 'Science', demonstration: false });
      expect(polls[2]?.closedAt).toBe(iso(testNow - 1));
      for (const [query, found] of [
        ['?state=open', ['running']],
        ['?state=scheduled', ['coming']],
        ['?state=closed', ['ended-just-now', 'over']],
        ['?search=BLUE%20sky', ['running']],
        ['?search=ended-just', ['ended-just-now']],
        ['?search=100%25', ['running']],
        ['?search=the_sky', ['running']],
        ['?search=s_y', []],
        ['?search=rain&state=open', []],
        ['?page=2', []],
      ] as const)
        expect([query, await ids(query)]).toEqual([query, found]);
      expect((await call('/api/admin/polls?state=gone')).status).toBe(400);
    });

    test('a poll that is inactive before its start is scheduled, hidden, and in no total until then', async () => {
      const { db } = await open();
      await three(db);
      await db('ballots').where({ id: 'coming' }).update({ is_active: false });
      expect(await ids('?state=scheduled')).toEqual(['coming']);
      expect(await ids('?state=closed')).toEqual(['ended-just-now', 'over']);
      expect((await list()).polls.map(({ state }) => state)).toEqual(['open', 'scheduled', 'closed', 'closed']);
      expect((await call('/api/polls/coming')).status).toBe(404);
      expect((await call<Statistics>('/api/statistics')).body.totalPolls).toBe(3);
    });

    once(
      '[D4.5] a preview token opens its own poll, also before its start; with a wrong one there is no such poll',
      async () => {
        const { db } = await open();
        await three(db);
        const tokens = new Map((await list()).polls.map(({ id, previewToken }) => [id, previewToken]));
        const token = encodeURIComponent(tokens.get('coming') ?? '');
        const at = async (path: string) => (await app.fetch(`/api/polls/${path}`)).status;
        const found = await app.fetch(`/api/polls/coming?preview=${token}`);
        expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'no-store']);
        expect(await found.json()).toMatchObject({ id: 'coming', question: 'Snow?' });
        expect([await at('coming'), await at('coming?preview=x'), await at(`nothing?preview=${token}`)]).toEqual([
          404, 404, 404,
        ]);
        expect([await at(`over?preview=${tokens.get('over')}`), await at(`over?preview=${token}`)]).toEqual([200, 404]);
        // The preview is read-only.
        expect(await vote(`coming`, 'o1')).toBe(404);
        app.clock.set(testNow + hour);
        expect([await at('coming'), await vote('coming', 'o1')]).toEqual([200, 200]);
        expect((await list('?search=coming')).polls[0]).toMatchObject({ state: 'open' });
      },
    );

    once('closing an open poll makes it a report, refuses further votes, and is published', async () => {
      const { db } = await open();
      await three(db);
      expect((await close('running')).status).toBe(204);
      expect(await poll('running')).toMatchObject({ isActive: false, closedAt: iso(testNow) });
      expect(await vote('running', 'o1')).toBe(409);
      expect(await changes(db)).toEqual(['poll running']);
      expect((await close('running')).body.message).toBe('This poll is already closed.');
      expect((await close('ended-just-now')).status).toBe(409);
      expect((await close('coming')).body.message).toMatch(/^This poll hasn’t started/);
      expect((await close('nothing')).status).toBe(404);
      await expectExactCounters(db);
    });

    once('a closed poll is reopened until its end; one whose end has passed needs a new end', async () => {
      const { db } = await open();
      await three(db);
      await close('running');
      expect((await reopen('running')).status).toBe(204);
      expect(await poll('running')).toMatchObject({ isActive: true, closedAt: null });
      expect(await vote('running', 'o2')).toBe(200);
      expect((await reopen('running')).body.message).toBe('This poll isn’t closed.');

      // An end set by an import may be later than the limit for new ends.
      await close('running');
      await db('ballots')
        .where({ id: 'running' })
        .update({ ends_at: Date.parse('2099-01-01') });
      expect((await reopen('running')).status).toBe(204);

      const refused = await reopen('over');
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        [{ field: 'endsAt', message: 'End must be in the future' }],
      ]);
      expect((await reopen('over', { endsAt: iso(testNow) })).status).toBe(400);
      expect((await reopen('over', { endsAt: '2099-01-01T00:00:00Z' })).body.errors?.[0]?.message).toBe(
        'End must be within 10 years',
      );
      expect((await reopen('over', { endsAt: iso(testNow + hour) })).status).toBe(204);
      expect(await poll('over')).toMatchObject({ isActive: true, closedAt: null, endsAt: iso(testNow + hour) });
      expect((await reopen('ended-just-now', { endsAt: iso(testNow + hour) })).status).toBe(204);
      expect(await changes(db)).toContain('poll over');
      await expectExactCounters(db);
    });

    once('a poll whose votes are final is not reopened', async () => {
      const { db } = await open();
      await three(db);
      await vote('running', 'o1');
      await close('running');
      await db('ballots').where({ id: 'running' }).update({ erased_at: testNow });
      const refused = await reopen('running');
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'This poll ended more than 30 days ago, so its votes are final. Start a new poll instead.',
      ]);
      expect(await poll('running')).toMatchObject({ isActive: false });
    });

    once('texts are changed and trimmed, the archive follows the category, and unsafe HTML is removed', async () => {
      const { db } = await open();
      await three(db);
      const { status, body } = await edit('over', {
        question: '  Did it rain?\r\n',
        category: 'Health',
        author: 'The desk',
        tags: ['rain', ' ', 'rain', 'weather'],
        summary: 'It did.',
        analysis: '<p onclick="x()">Wet.</p><script>alert(1)</script>',
        methodologyNotes: 'We looked.',
      });
      expect([status, body]).toEqual([
        200,
        { changed: true, removed: expect.arrayContaining(['<script>']) as unknown },
      ]);
      expect(await poll('over')).toMatchObject({
        ...{ question: 'Did it rain?', description: 'About over.', category: 'Health', author: 'The desk' },
        ...{ tags: ['rain', 'weather'], summary: 'It did.', analysis: '<p>Wet.</p>', methodologyNotes: 'We looked.' },
      });
      expect(await changes(db)).toEqual([
        ...['poll over', 'page /historical/category/science', 'page /historical/category/health'],
        ...['page /historical/tag/rain', 'page /historical/tag/weather', 'related Science'],
      ]);
      expect((await edit('over', { question: 'Did it rain?' })).body).toEqual({ changed: false, removed: [] });
      await edit('over', { summary: '', author: null, category: '' });
      expect(await poll('over')).toMatchObject({ summary: null, author: null, category: null });
      await expectExactCounters(db);
    });

    once('invalid texts are refused by field, and nothing changes', async () => {
      const { db } = await open();
      await three(db);
      const before = await db('polls').orderBy('id');
      for (const [json, field] of [
        [{ question: '   ' }, 'question'],
        [{ question: 'x'.repeat(501) }, 'question'],
        [{ category: 'All' }, 'category'],
        [{ summary: 'half \ud800' }, 'summary'],
        [{ tags: ['a\u0000b'] }, 'tags.0'],
        [{ options: [{ id: 'o1', text: '' }] }, 'options.0.text'],
        [{ totalVotes: 5 }, 'totalVotes'],
      ] as const) {
        const { status, body } = await edit('over', json);
        expect([status, body.errors?.map((error) => error.field)]).toEqual([400, [field]]);
      }
      expect((await edit('nothing', { question: 'Why?' })).status).toBe(404);
      expect((await edit('over', {})).status).toBe(400);
      expect(await db('polls').orderBy('id')).toEqual(before);
    });

    once('option texts can change until there are votes, here or from an import', async () => {
      const { db } = await open();
      await seedPolls(db, [
        { id: 'fresh', votes: [0, 0, 0] },
        { id: 'counted', votes: [1, 0, 0] },
      ]);
      await start(db);
      const reword = (id: string) => edit(id, { question: 'New?', options: [{ id: 'o1', text: 'Reworded' }] });
      expect((await reword('fresh')).body).toMatchObject({ changed: true });
      expect((await poll('fresh')).options[0]).toMatchObject({ id: 'o1', text: 'Reworded' });
      expect(await vote('fresh', 'o1')).toBe(200);
      const refused = await edit('fresh', { options: [{ id: 'o1', text: 'The opposite' }] });
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/options can’t be changed/)]);
      // Identical texts are no change.
      expect((await edit('fresh', { options: [{ id: 'o1', text: 'Reworded' }] })).body).toMatchObject({
        changed: false,
      });
      expect((await reword('counted')).status).toBe(409);
      expect((await poll('counted')).question).toBe('What about counted?');
      expect((await edit('counted', { options: [{ id: 'o9', text: 'New' }] })).status).toBe(409);
    });

    test('a vote and a concurrent rewording exclude each other', async () => {
      const { db } = await open();
      const polls = Array.from({ length: 12 }, (_, n) => `race-${n}`);
      await seedPolls(
        db,
        polls.map((id) => ({ id, votes: [0, 0, 0] })),
      );
      await start(db);
      const outcomes = await Promise.all(
        polls.map(async (id) => {
          const [reworded] = await Promise.all([
            edit(id, { options: [{ id: 'o1', text: 'Reworded' }] }),
            vote(id, 'o1'),
          ]);
          return reworded.status;
        }),
      );
      for (const [place, status] of outcomes.entries()) {
        const { options, totalVotes } = await poll(polls[place] ?? '');
        expect([totalVotes, options[0]?.text]).toEqual([1, status === 200 ? 'Reworded' : 'Answer 1']);
      }
      await expectExactCounters(db);
    });
  });

  describe('demonstration polls', () => {
    test('are removed together with their votes; the operator’s polls stay, and figures stay exact', async () => {
      const { db } = await open();
      const loaded = await loadDemonstration(db, fixedClock(testNow));
      await seedPolls(db, [{ id: 'our-own', votes: [1, 2, 3] }]);
      await start(db);
      const { body: before } = await call<ManagedPolls>('/api/admin/polls');
      expect(before.demonstration).toBeGreaterThan(loaded);
      expect(before.polls.some(({ demonstration }) => demonstration)).toBe(true);
      const demo = before.polls.find(({ demonstration, state }) => demonstration && state === 'open')?.id ?? '';
      expect(await vote(demo, (await poll(demo)).options[0]?.id ?? '')).toBe(200);
      // An import that updates one makes it the operator's own.
      await db('polls')
        .whereIn('id', db('polls').where({ demonstration: true }).whereNot('id', demo).limit(1).select('id'))
        .update({ demonstration: false });
      await recountAll(db);

      const { body } = await call<{ polls: number; communityPolls: number }>('/api/admin/demonstration', {
        method: 'DELETE',
      });
      expect(body.polls).toBe(loaded - 1);
      expect(body.communityPolls).toBe(before.demonstration - loaded);
      expect(await db('polls')).toHaveLength(2);
      expect(await db('community_polls')).toEqual([]);
      expect(await db('users')).toEqual([]);
      expect((await call<ManagedPolls>('/api/admin/polls')).body.demonstration).toBe(0);
      expect(await changes(db)).toContain(`poll ${demo}`);
      await expectExactCounters(db);
      expect((await reconcile(db)).wrongCounters).toEqual([]);
      const again = await call('/api/admin/demonstration', { method: 'DELETE' });
      expect(again).toMatchObject({ status: 200, body: { polls: 0, communityPolls: 0 } });
    });
  });
});

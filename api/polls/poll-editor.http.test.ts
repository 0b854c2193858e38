import { afterEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { ManagedPolls } from './managing.contract.ts';
import type { EditedPoll, PollContent, PollVersions } from './poll-editor.contract.ts';
import type { Poll, Statistics } from './polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { forgetPages, waitingPages } from '#api/testing/changes.ts';
import { eachDatabase, oneDatabase } from '#api/testing/databases.ts';
import { loadDemonstration } from '#api/admin/demonstration.service.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { auditLog, askAdmin, voteOnce } from '#api/testing/operators.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const hour = 3_600_000;
/** A row of a table. */
type BallotRow = { readonly id: string; readonly closed_at: number | null };
const iso = (moment: number) => new Date(moment).toISOString();

let app: TestApp;
afterEach(() => app.close());
const start = async (db: Database) => (app = await startTestApp(db, { clock: fixedClock(testNow) }));

// The caller names the expected type; the contract's tests check shapes.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const call = <T = ErrorBody>(method: string, path: string, json?: object) => askAdmin<T>(app, method, path, json);

const polls = '/api/admin/polls';
const create = async (json: object = {}) => (await call<EditedPoll>('POST', polls, json)).body;
const read = async (id: string) => (await call<EditedPoll>('GET', `/api/admin/polls/${id}`)).body;
const save = (id: string, version: number, part: Partial<PollContent> & { publishedAt?: string | null }) =>
  call<EditedPoll>('PATCH', `/api/admin/polls/${id}/draft`, { version, ...part });
const publish = (id: string, version: number, more: object = {}) =>
  call<{ state: string }>('POST', `/api/admin/polls/${id}/publish`, { version, ...more });
const list = async (query = '') => (await call<ManagedPolls>('GET', `${polls}${query}`)).body;
const shown = async (id: string) => (await app.fetch(`/api/polls/${id}`)).status;

const vote = (id: string, optionId: string) => voteOnce(app, id, optionId);

/** The next weekly slot. */
const nextWeek = { startsAt: '2026-11-23T09:00:00.000Z', endsAt: '2026-11-30T09:00:00.000Z' };

const complete = {
  question: 'Should the library open on Sundays?',
  description: 'It would close on one evening.',
  options: ['Yes', 'No', 'Not sure', 'It should move'].map((text, place) => ({ id: `o${place}`, text })),
  category: 'Local',
  tags: ['libraries'],
  startsAt: iso(testNow + hour),
  endsAt: iso(testNow + 24 * hour),
};

/** A draft that can be published. */
async function completeDraft(part: Partial<PollContent> = {}): Promise<EditedPoll> {
  const { id, version } = await create();
  return (await save(id, version, { ...complete, ...part })).body;
}

const audited = async (db: Database, id: string) =>
  auditLog(db).where({ subject: id }).orderBy('id').pluck<string[]>('action');
const changes = async (db: Database) =>
  (await waitingPages(db).orderBy('id').select<{ kind: string; key: string; event: string }[]>('*')).map(
    ({ kind, key, event }) => `${kind} ${key} ${event}`,
  );

eachDatabase((open, _engine, once) => {
  describe('a draft', () => {
    once('is shown to nobody but operators, and to people with its preview link', async () => {
      const { db } = await open();
      await start(db);
      const { id, previewToken } = await completeDraft();
      expect([await shown(id), await vote(id, 'o1')]).toEqual([404, 404]);
      const listed = ['polls/active', 'polls/historical/paginated', 'search?q=library', 'topics/tag/libraries'];
      for (const path of listed) expect(await (await app.fetch(`/api/${path}`)).text()).not.toContain(id);
      expect((await call<Statistics>('GET', '/api/statistics')).body.totalPolls).toBe(0);
      expect(await changes(db)).toEqual([]);
      const preview = (await call<Poll>('GET', `/api/polls/${id}?preview=${encodeURIComponent(previewToken)}`)).body;
      expect(preview).toMatchObject({ id, question: complete.question, totalVotes: 0, startsAt: complete.startsAt });
      expect((await app.fetch(`/api/polls/${id}?preview=made.up`)).status).toBe(404);
      expect((await list('?state=draft')).polls).toMatchObject([
        { id, state: 'draft', question: complete.question, changes: { by: 'operator' } },
      ]);
    });

    once('can be incomplete, and says what is missing when it is published', async () => {
      const { db } = await open();
      await start(db);
      const { id, version: created } = await create();
      const { version } = (await save(id, created, { startsAt: null, endsAt: null })).body;
      const refused = await publish(id, version);
      expect(refused.status).toBe(400);
      expect(refused.body.errors?.map(({ message }) => message).sort()).toEqual([
        'Description is required',
        'End is required',
        'Please enter at least 2 options',
        'Question is required',
        'Start is required',
      ]);
      const twice = { options: [...complete.options, { id: 'o9', text: 'Yes' }], endsAt: iso(testNow - hour) };
      const saved = (await save(id, version, { ...complete, ...twice, category: 'All', tags: ['a\u0007'] })).body;
      expect((await publish(id, saved.version)).body.errors?.map(({ field }) => field).sort()).toEqual([
        ...['category', 'endsAt', 'options.4.text', 'tags.0'],
      ]);
      expect((await read(id)).state).toBe('draft');
      expect(await db('ballots')).toEqual([]);
    });

    once('is scheduled by publishing it, opens at its start, and its poll counts everywhere', async () => {
      const { db } = await open();
      await start(db);
      const { id, version } = await completeDraft();
      expect(await publish(id, version)).toMatchObject({ status: 200, body: { state: 'scheduled' } });
      expect(await read(id)).toMatchObject({ state: 'scheduled', version: 0, publishedBy: 'operator' });
      expect([await shown(id), (await list('?state=draft')).total]).toEqual([404, 0]);
      expect(await changes(db)).toContain(`poll ${id} created`);
      app.clock.set(testNow + hour);
      expect([await shown(id), await vote(id, 'o0'), await vote(id, 'o3')]).toEqual([200, 200, 400]);
      expect((await call<Statistics>('GET', '/api/statistics')).body).toMatchObject({ totalPolls: 1, totalVotes: 1 });
      expect(await audited(db, id)).toEqual(['draft.create', 'poll.publish']);
      await expectExactCounters(db);
    });

    once('has a note on its wave, and what is known of imported answers, whose link must be an address', async () => {
      const { db } = await open();
      await start(db);
      const provenance = { source: 'The bureau', mode: ' ', link: 'bureau.example' };
      const draft = await completeDraft({ provenance, seriesNote: 'By telephone' });
      expect((await publish(draft.id, draft.version)).body.errors?.map(({ field }) => field)).toEqual([
        'provenance.link',
      ]);
      const link = 'https://bureau.example';
      const { version } = (await save(draft.id, draft.version, { provenance: { ...provenance, link } })).body;
      expect((await publish(draft.id, version)).status).toBe(200);
      const { content } = await read(draft.id);
      expect([content.provenance, content.seriesNote]).toEqual([{ source: 'The bureau', link }, 'By telephone']);
    });

    once('with a start in the past opens when it is published', async () => {
      const { db } = await open();
      await start(db);
      const { id, version } = await completeDraft({ startsAt: iso(testNow - 5 * hour) });
      expect((await publish(id, version)).body.state).toBe('open');
      expect((await call<Poll>('GET', `/api/polls/${id}`)).body).toMatchObject({ startsAt: iso(testNow) });
      expect(await vote(id, 'o1')).toBe(200);
    });

    test('saved by two operators at once keeps one of them, and tells the other who it was', async () => {
      const { db } = await open();
      await start(db);
      const { id, version: first } = await create();
      const answers = await Promise.all(['A?', 'B?', 'C?'].map((question) => save(id, first, { question })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const kept = answers.find(({ status }) => status === 200)!.body;
      expect(await read(id)).toMatchObject({ version: first + 1, content: { question: kept.content.question } });
      const late = await save(id, first, { question: 'D?' });
      expect(late.body.message).toBe('operator changed this poll at 12:00 UTC on 2026-11-20.');
      expect((await publish(id, first)).status).toBe(409);
      expect((await call('DELETE', `/api/admin/polls/${id}/draft?version=${first}`)).status).toBe(409);
    });

    once('leaves out HTML that is not allowed in the analysis', async () => {
      const { db } = await open();
      await start(db);
      const { id, version } = await create();
      const analysis = '<p onclick="x()">Wet.</p><script>alert(1)</script>';
      expect((await save(id, version, { analysis })).body.content.analysis).toBe('<p>Wet.</p>');
    });

    once('begins with the next weekly slot, or the first one from a day on, in the site’s time zone', async () => {
      const { db } = await open();
      await start(db);
      expect((await create()).content).toMatchObject(nextWeek);
      expect((await create({ from: '2026-11-25' })).content).toMatchObject({
        ...{ startsAt: '2026-11-30T09:00:00.000Z', endsAt: '2026-12-07T09:00:00.000Z' },
      });
      expect((await create({ from: '2026-11-01' })).content).toMatchObject(nextWeek);
      for (const from of ['2027-02-30', 'soon', '1999-01-01'])
        expect([from, (await call('POST', polls, { from })).status]).toEqual([from, 400]);
    });

    once('leaves out weekly slots in which a scheduled poll opens', async () => {
      const { db } = await open();
      await start(db);
      for (const week of [nextWeek, { startsAt: '2026-12-02T09:00:00.000Z', endsAt: '2026-12-03T09:00:00.000Z' }]) {
        const { id, version } = await completeDraft(week);
        expect((await create()).content).toMatchObject(week === nextWeek ? nextWeek : { startsAt: nextWeek.endsAt });
        expect((await publish(id, version)).status).toBe(200);
      }
      expect((await create()).content.startsAt).toBe('2026-12-07T09:00:00.000Z');
    });

    once('is deleted, or copied for the next weekly slot, without texts about results', async () => {
      const { db } = await open();
      await start(db);
      const { id, version } = await completeDraft({ summary: 'Most said yes.' });
      await publish(id, version);
      const copy = await create({ copyOf: id });
      expect(copy).toMatchObject({ state: 'draft', content: { question: complete.question, tags: ['libraries'] } });
      expect(copy.content).toMatchObject({ ...nextWeek, summary: null });
      expect((await call('DELETE', `/api/admin/polls/${copy.id}/draft?version=${copy.version}`)).status).toBe(204);
      expect((await call('GET', `/api/admin/polls/${copy.id}`)).status).toBe(404);
      expect((await call('POST', polls, { copyOf: copy.id })).status).toBe(404);
      expect((await read(id)).state).toBe('scheduled');
    });
  });

  describe('a published poll', () => {
    const seeded = async (db: Database) => {
      await seedPolls(db, [
        { id: 'tea', question: 'Tea?', category: 'Food' },
        { id: 'counted', votes: [3, 1, 0] },
        { id: 'over', closedAt: testNow - hour, category: 'Food', votes: [2, 1, 0] },
        { id: 'coming', startsAt: testNow + hour, endsAt: testNow + 9 * hour },
      ]);
      await start(db);
    };

    once('changes only when its draft is published, which the preview link shows before', async () => {
      const { db } = await open();
      await seeded(db);
      const { version, previewToken } = (await save('tea', 0, { question: 'Green tea?', author: 'Ana' })).body;
      expect((await call<Poll>('GET', '/api/polls/tea')).body.question).toBe('Tea?');
      const preview = await call<Poll>('GET', `/api/polls/tea?preview=${encodeURIComponent(previewToken)}`);
      expect(preview.body).toMatchObject({ question: 'Green tea?', author: 'Ana' });
      expect((await list('?search=tea')).polls[0]).toMatchObject({ state: 'open', changes: { by: 'operator' } });
      expect((await publish('tea', version)).body.state).toBe('open');
      expect((await call<Poll>('GET', '/api/polls/tea')).body).toMatchObject({ question: 'Green tea?', author: 'Ana' });
      expect(await changes(db)).toEqual(['poll tea edited']);
      expect(await audited(db, 'tea')).toEqual(['draft.edit', 'poll.edit']);
      expect((await publish('tea', version)).body.message).toMatch(/^Nothing waits to be published/);
    });

    once('has no draft any more once it is edited back to what is published', async () => {
      const { db } = await open();
      await seeded(db);
      const { version } = (await save('tea', 0, { question: 'Green tea?' })).body;
      expect((await save('tea', version, { question: 'Tea?' })).body).toMatchObject({ version: 0, changedBy: null });
      expect((await list('?search=tea')).polls[0]?.changes).toBeNull();
    });

    test('whose draft is begun anew, in the same moment, is not changed by an editor that shows the discarded one', async () => {
      const { db } = await open();
      await seeded(db);
      const begin = async (question: string) => (await save('tea', 0, { question })).body.version;
      const discarded = await begin('Green tea?');
      await call('DELETE', `/api/admin/polls/tea/draft?version=${discarded}`);
      await begin('Black tea?');
      expect((await save('tea', discarded, { question: 'White tea?' })).status).toBe(409);
      expect((await read('tea')).content.question).toBe('Black tea?');
    });

    once('whose draft is saved again keeps what was published meanwhile in other fields', async () => {
      const { db } = await open();
      await seeded(db);
      const { version } = (await save('tea', 0, { question: 'Green tea?' })).body;
      await call('PATCH', `/api/admin/polls/tea`, { author: 'Ben' });
      await save('tea', version, { summary: 'About tea.' });
      await call('PATCH', `/api/admin/polls/tea`, { author: 'Eve' });
      expect((await read('tea')).content).toMatchObject({ question: 'Green tea?', author: 'Eve' });
      expect((await publish('tea', version + 1)).status).toBe(200);
      const { question, author, summary } = (await call<Poll>('GET', '/api/polls/tea')).body;
      expect([question, author, summary]).toEqual(['Green tea?', 'Eve', 'About tea.']);
    });

    once(
      'that was changed elsewhere since is not overwritten unless the operator says so; other fields are kept',
      async () => {
        const { db } = await open();
        await seeded(db);
        const { version } = (await save('tea', 0, { question: 'Green tea?' })).body;
        await call('PATCH', `/api/admin/polls/tea`, { question: 'Black tea?', author: 'Ben' });
        expect((await read('tea')).content).toMatchObject({ question: 'Green tea?', author: 'Ben' });
        const refused = await publish('tea', version);
        expect([refused.status, refused.body.errors?.map(({ field }) => field)]).toEqual([409, ['question']]);
        expect((await publish('tea', version, { overwrite: true })).status).toBe(200);
        expect((await call<Poll>('GET', '/api/polls/tea')).body).toMatchObject({
          question: 'Green tea?',
          author: 'Ben',
        });
      },
    );

    once(
      'of the demonstration data becomes the operator’s own, and counts, once it is edited or reopened',
      async () => {
        const { db } = await open();
        await loadDemonstration(db, fixedClock(testNow));
        await seeded(db);
        const { totalPolls } = (await call<Statistics>('GET', '/api/statistics')).body;
        const loaded = await db('ballots').whereIn('id', db('polls').select('id').where('demonstration', true));
        const idOf = (isClosed: boolean) =>
          (loaded as BallotRow[]).find(({ closed_at }) => (closed_at !== null) === isClosed)?.id ?? '';
        const [edited, reopened] = [idOf(false), idOf(true)];
        await publish(edited, (await save(edited, 0, { question: 'Green tea?' })).body.version);
        const until = { endsAt: iso(testNow + hour) };
        expect((await call('POST', `/api/admin/polls/${reopened}/reopen`, until)).status).toBe(204);
        expect(await db('polls').whereIn('id', [edited, reopened]).where('demonstration', false)).toHaveLength(2);
        expect((await call<Statistics>('GET', '/api/statistics')).body.totalPolls).toBe(totalPolls + 2);
        await expectExactCounters(db);
        const { versions } = (await call<PollVersions>('GET', `/api/admin/polls/${reopened}/versions`)).body;
        expect(versions.map(({ by, after }) => [by, after])).toEqual([
          ['operator', until],
          [null, {}],
        ]);
      },
    );

    once('has its dates changed until they are past, and its options until somebody votes', async () => {
      const { db } = await open();
      await seeded(db);
      const edited = async (id: string, part: Partial<PollContent>) => {
        const { status, body } = await publish(id, (await save(id, 0, part)).body.version);
        const answer =
          status === 200 ? body.state : (body.errors?.map(({ message }) => message).join() ?? body.message);
        if (status !== 200) await call('DELETE', `/api/admin/polls/${id}/draft`);
        return answer;
      };
      expect(await edited('coming', { startsAt: iso(testNow + 2 * hour), endsAt: iso(testNow + 3 * hour) })).toBe(
        'scheduled',
      );
      expect(await edited('coming', { startsAt: iso(testNow + 4 * hour) })).toBe('End must be after the start');
      expect(await edited('coming', { startsAt: iso(testNow - hour) })).toBe('open');
      expect(await edited('coming', { endsAt: iso(testNow - 1) })).toBe('End must be in the future');
      expect(await edited('coming', { endsAt: iso(testNow + hour) })).toBe('open');
      const options = [...complete.options].reverse();
      expect(await edited('tea', { options })).toBe('open');
      expect((await call<Poll>('GET', '/api/polls/tea')).body.options.map(({ text }) => text)).toEqual([
        ...['It should move', 'Not sure', 'No', 'Yes'],
      ]);
      expect([await vote('tea', 'o0'), await vote('tea', 'o3')]).toEqual([400, 200]);
      await expectExactCounters(db);
    });

    once(
      'whose draft changes what votes, its start, or its end have locked is published without these changes',
      async () => {
        const { db } = await open();
        await seeded(db);
        const { startsAt, endsAt } = complete;
        const wanted = { startsAt: iso(testNow + 2 * hour), publishBallots: false, author: 'Ana' };
        await save('coming', 0, wanted);
        await save('over', 0, { endsAt, author: 'Ana' });
        await save('counted', 0, { options: complete.options, startsAt, author: 'Ana' });
        app.clock.set(testNow + hour);
        for (const [id, dropped, state] of [
          ['coming', ['publishBallots', 'startsAt'], 'open'],
          ['over', ['endsAt'], 'closed'],
          ['counted', ['options', 'startsAt'], 'open'],
        ] as const) {
          const { content, published, ...draft } = await read(id);
          expect([id, draft.dropped, content]).toEqual([id, dropped, { ...published, author: 'Ana' }]);
          expect((await publish(id, draft.version)).body).toEqual({ state });
          expect((await read(id)).published).toEqual(content);
        }
      },
    );

    once(
      'edited in two tabs is not overwritten by the one that has not seen what the other published or began',
      async () => {
        const { db } = await open();
        await seeded(db);
        const { publishedAt } = await read('tea');
        await publish('tea', (await save('tea', 0, { question: 'Green tea?', publishedAt })).body.version);
        // Neither tab has a draft, and one has the question of before.
        expect((await save('tea', 0, { question: 'Black tea?', publishedAt })).status).toBe(409);
        app.clock.set(testNow + 60_000);
        const { version, ...begun } = (
          await save('tea', 0, { author: 'Ana', publishedAt: (await read('tea')).publishedAt })
        ).body;
        await call('DELETE', `/api/admin/polls/tea/draft?version=${version}`);
        app.clock.set(testNow + 120_000);
        await save('tea', 0, { author: 'Ben' });
        expect((await save('tea', version, { author: 'Eve', publishedAt: begun.publishedAt })).status).toBe(409);
        expect((await publish('tea', version)).status).toBe(409);
        expect((await read('tea')).content).toMatchObject({ question: 'Green tea?', author: 'Ben' });
      },
    );

    once('keeps who changed which of its texts and when, also what an import had stored', async () => {
      const { db } = await open();
      await seeded(db);
      for (const question of ['Green tea?', 'Black tea?'])
        await publish('tea', (await save('tea', 0, { question })).body.version);
      const { versions, more } = (await call<PollVersions>('GET', `/api/admin/polls/tea/versions`)).body;
      expect(versions.map(({ number, by, before, after }) => [number, by, before, after])).toEqual([
        [3, 'operator', { question: 'Green tea?' }, { question: 'Black tea?' }],
        [2, 'operator', { question: 'Tea?' }, { question: 'Green tea?' }],
        [1, null, {}, {}],
      ]);
      expect([more, versions[0]?.at]).toEqual([false, iso(testNow)]);
      expect((await call<PollVersions>('GET', `/api/admin/polls/tea/versions?before=2`)).body.versions).toHaveLength(1);
      expect((await app.fetch(`/api/admin/polls/tea/versions`)).status).toBe(401);
    });

    const restore = async (id: string, from: number, publishedAt?: string | null) =>
      call<EditedPoll>('POST', `/api/admin/polls/${id}/restore`, {
        ...{ publishedAt: publishedAt ?? (await read(id)).publishedAt, from },
      });
    const versionsOf = async (id: string) =>
      (await call<PollVersions>('GET', `/api/admin/polls/${id}/versions`)).body.versions;

    test('has an earlier version restored, which is published at once, recorded, and can be restored from in turn', async () => {
      const { db } = await open();
      await seeded(db);
      const options = complete.options.slice(0, 2);
      for (const part of [
        // Without milliseconds, as a program may send it.
        { question: 'Green tea?', options, endsAt: '2027-01-01T00:00:00Z' },
        { question: 'Black tea?', category: 'Drinks' },
      ])
        await publish('tea', (await save('tea', 0, part)).body.version);
      const draft = (await save('tea', 0, { author: 'Ana' })).body;
      const [newest, , first] = await versionsOf('tea');
      expect([newest?.restored, Object.keys(first?.restored ?? {})]).toEqual([
        {},
        ['question', 'options', 'category', 'endsAt'],
      ]);
      await forgetPages(db);

      const restored = await restore('tea', 1);
      expect([restored.status, restored.body]).toEqual([200, await read('tea')]);
      expect(restored.body).toMatchObject({ version: draft.version, publishedBy: 'operator' });
      expect(restored.body.content).toMatchObject({ question: 'Tea?', category: 'Food', author: 'Ana' });
      const shownNow = (await call<Poll>('GET', '/api/polls/tea')).body;
      expect(shownNow).toMatchObject({ question: 'Tea?', category: 'Food', author: null });
      expect(shownNow.options).toHaveLength(first?.restored.options?.length ?? 0);
      expect(await changes(db)).toContain('poll tea edited');
      const entry = await auditLog(db).where({ action: 'poll.restore', subject: 'tea' }).first<{ before: string }>();
      expect(entry.before).toContain('Black tea?');
      const [last] = await versionsOf('tea');
      expect(last).toMatchObject({ number: 4, by: 'operator', after: { question: 'Tea?' }, restored: {} });
      expect((await restore('tea', 3)).body.published).toMatchObject({ question: 'Black tea?', options });
      await expectExactCounters(db);
    });

    test('is not restored in part: what votes, time, or level lock, or is wrong by now, is named, and all stays', async () => {
      const { db } = await open();
      await seeded(db);
      const edit = async (id: string, part: Partial<PollContent>) => {
        await publish(id, (await save(id, 0, part)).body.version);
        return (await versionsOf(id))[0]?.number ?? 0;
      };
      await edit('tea', { question: 'Green tea?', options: [...complete.options].reverse() });
      expect(await vote('tea', 'o3')).toBe(200);
      const soon = iso(testNow + 2 * hour);
      const early = await edit('coming', { endsAt: soon });
      const late = await edit('coming', { startsAt: soon, endsAt: iso(testNow + 9 * hour) });
      await edit('counted', { question: 'Counted?', protection: 'members' });
      const ids = ['tea', 'coming', 'counted'];
      const published = () => Promise.all(ids.map(async (id) => (await read(id)).published));
      const before = await published();
      app.clock.set(testNow + 3 * hour);
      for (const [id, from, answer] of [
        ['tea', 1, /^409 This poll has votes, so its options can’t be changed/],
        ['coming', early, /^400 End must be in the future/],
        ['coming', 1, /^409 This poll has opened, so its start can’t be changed/],
        ['counted', 1, /^409 Some people voted because votes needed more/],
        ['tea', 9, /^404 /],
        ['tea', 0, /^400 /],
        ['tea', 2 ** 31, /^400 /],
      ] as const) {
        const { status, body } = await restore(id, from);
        expect(`${status} ${body.message}`).toMatch(answer);
      }
      expect((await call('GET', `/api/admin/polls/tea/versions?before=${2 ** 31}`)).status).toBe(400);
      expect(await published()).toEqual(before);
      expect(await versionsOf('coming')).toHaveLength(late);
      expect(await auditLog(db).where({ action: 'poll.restore' })).toEqual([]);
    });

    test('restored by two operators at once, or edited meanwhile, refuses the one who has not seen it', async () => {
      const { db } = await open();
      await seeded(db);
      for (const question of ['Green tea?', 'Black tea?'])
        await publish('tea', (await save('tea', 0, { question })).body.version);
      const { publishedAt } = await read('tea');
      const answers = await Promise.all([1, 2, 1].map((from) => restore('tea', from, publishedAt)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body.message).toBe('Someone else has just changed this poll.');
      expect(await versionsOf('tea')).toHaveLength(4);
      await call('POST', `/api/admin/polls/tea/unpublish`);
      expect((await restore('tea', 1, publishedAt)).status).toBe(404);
      expect((await versionsOf('tea')).map(({ restored }) => restored)).toEqual([{}, {}, {}, {}]);
    });

    once('without votes becomes a draft again, leaves the site, and can be published at the same address', async () => {
      const { db } = await open();
      await seeded(db);
      const before = (await call<Statistics>('GET', '/api/statistics')).body.totalPolls;
      const unpublished = await call<EditedPoll>('POST', `/api/admin/polls/tea/unpublish`);
      expect(unpublished.body).toMatchObject({
        id: 'tea',
        state: 'draft',
        content: { question: 'Tea?' },
      });
      expect([await shown('tea'), await vote('tea', 'o1')]).toEqual([404, 404]);
      expect((await call<Statistics>('GET', '/api/statistics')).body.totalPolls).toBe(before - 1);
      expect(await changes(db)).toContain('poll tea removed');
      expect((await publish('tea', unpublished.body.version)).body.state).toBe('open');
      expect([await shown('tea'), await vote('tea', 'o1')]).toEqual([200, 200]);
      const refused = await call('POST', `/api/admin/polls/tea/unpublish`);
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/^This poll has votes/)]);
      expect(await audited(db, 'tea')).toEqual(['poll.unpublish', 'poll.publish']);
      await expectExactCounters(db);
    });

    test('is deleted with its votes; its address says why, and its id is never used again', async () => {
      const { db } = await open();
      await seeded(db);
      await vote('tea', 'o1');
      const { version } = (await save('tea', 0, { question: 'Green tea?' })).body;
      expect((await call('DELETE', `/api/admin/polls/tea`, { reason: '  ' })).status).toBe(400);
      expect((await call('DELETE', `/api/admin/polls/tea`, { reason: 'a\u0000' })).status).toBe(400);
      expect((await save('tea', version, { question: 'a\u0000' })).status).toBe(400);
      expect((await call('DELETE', `/api/admin/polls/tea`, { reason: 'Asked twice by mistake.' })).status).toBe(204);
      const answer = await app.fetch('/api/polls/tea');
      const deleted = { at: iso(testNow), reason: 'Asked twice by mistake.', redirectTo: null };
      expect([answer.status, await answer.json()]).toEqual([
        410,
        expect.objectContaining({ code: 'POLL_DELETED', deleted }),
      ]);
      expect((await list('?search=tea')).total).toBe(0);
      for (const table of ['poll_drafts', 'poll_versions']) expect(await db(table)).toEqual([]);
      expect(await changes(db)).toContain('poll tea removed');
      expect(await audited(db, 'tea')).toEqual(['draft.edit', 'poll.delete']);
      expect((await call('DELETE', `/api/admin/polls/tea`, { reason: 'Again.' })).status).toBe(404);
      await expect(seedPolls(db, [{ id: 'tea' }])).rejects.toThrow(/the id of a deleted poll/);
      await expectExactCounters(db);
    });

    once('is deleted from the archive, and its address leads to another poll', async () => {
      const { db } = await open();
      await seeded(db);
      const remove = (redirectTo: string) =>
        call('DELETE', `/api/admin/polls/over`, { reason: 'Replaced.', redirectTo });
      for (const wrong of ['over', 'nothing', 'coming'])
        expect((await remove(wrong)).body.errors?.map(({ field }) => field)).toEqual(['redirectTo']);
      expect(await shown('over')).toBe(200);
      expect((await remove('tea')).status).toBe(204);
      expect((await call('GET', '/api/polls/over')).body.deleted).toMatchObject({ redirectTo: 'tea' });
      expect(await changes(db)).toEqual(expect.arrayContaining(['poll over removed', 'related Food removed']));
      await expectExactCounters(db);
    });
  });
});

oneDatabase((open) => {
  test('lists drafts before published polls, page by page, and finds them by words of the question', async () => {
    const { db } = await open();
    await seedPolls(
      db,
      Array.from({ length: 8 }, (_, n) => ({ id: `listed-poll-${n}`, startsAt: testNow - n * hour })),
    );
    await start(db);
    for (let n = 0; n < 4; n += 1) {
      app.clock.set(testNow + n);
      await completeDraft({ question: `Draft ${n}?` });
    }
    const page = async (number: number) => (await list(`?page=${number}`)).polls.map(({ question }) => question);
    expect(await page(1)).toEqual([
      ...['Draft 3?', 'Draft 2?', 'Draft 1?', 'Draft 0?'],
      ...[0, 1, 2, 3, 4, 5].map((n) => `What about listed-poll-${n}?`),
    ]);
    expect(await page(2)).toEqual(['What about listed-poll-6?', 'What about listed-poll-7?']);
    expect((await list(`?search=${encodeURIComponent('draft 2?')}`)).polls.map(({ question }) => question)).toEqual([
      'Draft 2?',
    ]);
    expect(await list('?search=listed-poll-3')).toMatchObject({ total: 1, polls: [{ id: 'listed-poll-3' }] });
  });
});

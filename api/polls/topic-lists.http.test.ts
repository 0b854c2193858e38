import type { ReportRecord } from '#api/publishing/page-data/page-data.contract.ts';
import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import type { TopicPage } from '#api/polls/topics/topics.contract.ts';
import type { TopicKind } from '#contract/vocabulary.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { addresses, pageData } from '#api/publishing/page-data/page-data.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { undoImport } from '#api/polls/import/undo.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedDecision } from '#api/testing/decisions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { closePoll, editPoll, reopenPoll } from './managing.service.ts';
import { removeDemonstrationPoll } from './removal.service.ts';
import { seriesPage, topicPage } from './topic-lists.service.ts';

const day = 86_400_000;
const clock = fixedClock(testNow);
const idsOf = async (db: Database, kind: TopicKind, slug: string, page?: number) =>
  (await topicPage({ db, clock }, kind, slug, page))?.polls.map(({ id }) => id) ?? null;
const topicsIn = async (db: Database) =>
  (await Array.fromAsync(addresses({ db, clock }, []))).filter((address) => address.startsWith('/historical/')).sort();

oneDatabase((open) => {
  test('closed polls are listed by category, tag, series, and year, the newest first and nine to a page', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'open', tags: ['Tea'] },
      { id: 'old', closedAt: Date.UTC(2019, 11, 31, 23), startsAt: 0, tags: ['tea!'], category: 'Food' },
      ...Array.from({ length: 10 }, (_, n) => ({
        id: `p${n}`,
        closedAt: testNow - (n + 1) * 60_000,
        tags: ['TEA', 'Tea'],
        series: 'Every week',
        category: ['food', null][n % 2]!,
      })),
    ]);
    const newest = Array.from({ length: 10 }, (_, n) => `p${n}`);
    expect(await topicPage({ db, clock }, 'tag', 'tea')).toMatchObject({ name: 'Tea', total: 11, page: 1 });
    expect(await idsOf(db, 'tag', 'tea')).toEqual(newest.slice(0, 9));
    expect(await idsOf(db, 'tag', 'tea', 2)).toEqual(['p9', 'old']);
    expect(await idsOf(db, 'tag', 'tea', 3)).toBeNull();
    expect(await idsOf(db, 'category', 'food')).toEqual(['p0', 'p2', 'p4', 'p6', 'p8', 'old']);
    expect(await idsOf(db, 'series', 'every-week', 2)).toEqual(['p9']);
    expect(await idsOf(db, 'year', '2019')).toEqual(['old']);
    for (const year of ['2018', '2020', 'x']) expect(await idsOf(db, 'year', year)).toBeNull();
    const year = new Date(testNow).getUTCFullYear();
    const first = await pageData({ db, clock, settings: { siteName: '', supportEmail: '', publicUrl: '' } }).archive();
    expect(first.years).toEqual([year, 2019]);
    expect(await topicsIn(db)).toEqual(
      ['category/food', 'series/every-week', 'tag/tea', 'year/2019', `year/${year}`].map((one) => `/historical/${one}`),
    );

    const app = await startTestApp(db);
    const page = (await (await app.fetch('/api/topics/tag/tea?page=2')).json()) as TopicPage;
    expect(page).toEqual(await topicPage({ db, clock: app.clock }, 'tag', 'tea', 2));
    for (const [path, status] of [
      ['/api/topics/tag/coffee', 404],
      ['/api/topics/tag/tea?page=3', 404],
      ['/api/topics/letter/tea', 404],
      ['/api/topics/tag/tea?page=0', 400],
    ] as const)
      expect((await app.fetch(path)).status, path).toBe(status);
    await app.close();
  });

  test('a poll enters its lists when it closes and leaves them when it reopens, is edited, or is removed', async () => {
    const { db } = await open();
    const context = { db, clock };
    const tags = ['Tea', 'Milk'];
    await seedPolls(db, [
      { id: 'a', tags, endsAt: testNow },
      { id: 'b', tags },
    ]);
    const lists = async () => [await idsOf(db, 'tag', 'tea'), await idsOf(db, 'tag', 'milk')];
    expect(await lists()).toEqual([null, null]);
    await closeDue(context);
    expect(await lists()).toEqual([['a'], ['a']]);
    await closePoll(context, 'b');
    await editPoll(context, 'a', { tags: ['Milk'], series: 'Drinks' });
    expect(await lists()).toEqual([['b'], ['b', 'a']]);
    expect(await idsOf(db, 'series', 'drinks')).toEqual(['a']);
    await editPoll(context, 'a', { series: '' });
    expect(await idsOf(db, 'series', 'drinks')).toBeNull();
    await reopenPoll(context, 'b', new Date(testNow + day).toISOString());
    expect(await lists()).toEqual([null, ['a']]);
    await db('polls').update({ demonstration: true });
    await db.transaction((trx) => removeDemonstrationPoll({ trx, clock: fixedClock(testNow) }, 'a', 'operator'));
    expect(await lists()).toEqual([null, null]);
    expect(await db('poll_topics').where({ poll_id: 'a' })).toEqual([]);
  });

  test('an import lists polls by tags and series, and undoing it restores what was listed before', async () => {
    const { db } = await open();
    const row = (id: string, more: Record<string, string>) => ({
      ...{ id, question: `${id}?`, description: 'About it.', is_active: 'false', created_at: '2026-01-01' },
      ...{ starts_at: '2026-01-01', ends_at: '2026-01-08', series: '', ...more },
      options: JSON.stringify(['a', 'b'].map((one) => ({ id: one, text: one, votes: 3 }))),
    });
    const load = (...rows: object[]) =>
      importPolls({ db, clock, source: Readable.from([Buffer.from(stringify(rows, { header: true }))]) });
    await load(row('one', { tags: 'Tea,Milk', series: 'Drinks' }));
    expect(await topicsIn(db)).toEqual(
      ['series/drinks', 'tag/milk', 'tag/tea', 'year/2026'].map((one) => `/historical/${one}`),
    );
    await load(row('one', { tags: 'Coffee', series: '' }), row('two', { tags: 'Coffee' }));
    expect(await idsOf(db, 'tag', 'coffee')).toEqual(['two', 'one']);
    expect(await idsOf(db, 'series', 'drinks')).toBeNull();
    const { id } = await db('poll_imports').max('id as id').first<{ id: number }>();
    await undoImport({ db, clock }, id);
    expect(await topicsIn(db)).toEqual(
      ['series/drinks', 'tag/milk', 'tag/tea', 'year/2026'].map((one) => `/historical/${one}`),
    );
  });

  test('the reports of a series, and its list, have the newest waves with a final result, oldest first', async () => {
    const { db } = await open();
    await seedPolls(db, [
      ...Array.from({ length: 30 }, (_, n) => ({
        ...{ id: `w${n}`, series: n % 2 === 0 ? 'Drinks' : 'drinks', votes: [n, 30 - n] },
        closedAt: testNow - (30 - n) * day,
        startsAt: testNow - 90 * day,
      })),
      { id: 'nobody', series: 'Drinks', closedAt: testNow - 1 },
      { id: 'open', series: 'Drinks', votes: [5, 5] },
      { id: 'alone', series: 'Alone', closedAt: testNow - 1, votes: [5, 5] },
    ]);
    await seedDecision(db, 'w29', { votes: 3, state: 'held', reason: 'automated-network' });
    const data = pageData({ db, clock, settings: { siteName: '', supportEmail: '', publicUrl: '' } });
    const seriesOf = async (id: string) => ((await data.poll(id)) as ReportRecord).series;
    const series = await seriesOf('w3');
    expect(series).toMatchObject({ slug: 'drinks', name: 'Drinks' });
    // The newest 24, without one that nobody voted on and one under review.
    expect(series?.waves.map(({ id }) => id)).toEqual(Array.from({ length: 22 }, (_, n) => `w${n + 7}`));
    expect((await data.topic('series', 'drinks'))?.series).toEqual(series);
    expect(await topicPage({ db, clock }, 'series', 'drinks', 2)).not.toHaveProperty('series');
    for (const id of ['open', 'alone']) expect(await seriesOf(id)).toBeNull();
  });

  test('the list of series has those with several waves, the one with the newest first', async () => {
    const { db } = await open();
    const wave = (id: string, series: string, daysAgo: number) => ({
      ...{ id, series, votes: [3, 4], closedAt: testNow - daysAgo * day, startsAt: testNow - 90 * day },
    });
    await seedPolls(db, [
      ...[wave('a1', 'Coffee', 30), wave('a2', 'coffee', 2), wave('b1', 'Tea', 40), wave('b2', 'Tea', 1)],
      ...[wave('c1', 'Once', 3), { id: 'c2', series: 'Once', votes: [1, 1] }],
    ]);
    await db('polls').where({ id: 'b1' }).update({ series_note: 'By telephone' });
    const list = await seriesPage({ db, clock });
    expect(list?.series[0]?.waves.map(({ note }) => note)).toEqual(['By telephone', undefined]);
    expect(list).toMatchObject({ total: 2, page: 1 });
    expect(list?.series.map(({ name, waves }) => [name, waves.map(({ id }) => id)])).toEqual([
      ['Tea', ['b1', 'b2']],
      ['coffee', ['a1', 'a2']],
    ]);
    expect(await seriesPage({ db, clock }, 2)).toBeNull();
    const data = pageData({ db, clock, settings: { siteName: '', supportEmail: '', publicUrl: '' } });
    expect(await data.seriesList()).toEqual(list);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { searchLength, searchPageSize, searchRanked } from './search.contract.ts';
import type { SearchKind, SearchPage, SearchSuggestion } from './search.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { loadContent } from '#api/content/files.service.ts';
import { closeDue } from '#api/polls/lifecycle/lifecycle.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { closePoll, editPoll, reopenPoll } from '#api/polls/managing.service.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { forgetSpellings, learnSpellings } from './spelling.service.ts';
import { buildSearchIndex, indexPolls } from './search-index.service.ts';

const day = 86_400_000;
const clock = fixedClock(testNow);
const isPage = compileSchema<SearchPage>(endpoints.search.response, 'json');

/** Imports weekly polls by id and question; `more` are further columns. */
async function imported(db: Database, polls: Readonly<Record<string, string>>, more: Record<string, string> = {}) {
  const options = JSON.stringify(['Bronze', 'Silver'].map((text) => ({ id: text.toLowerCase(), text, votes: 0 })));
  const rest = { description: 'For the tests.', is_active: 'true', created_at: '2026-11-01', ...more };
  const rows = Object.entries(polls).map(([id, question]) => ({
    ...{ id, question, starts_at: '2026-11-01', ends_at: '2026-12-24', options },
    ...rest,
  }));
  const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => Object.values(row).map(quoted).join(','));
  const csv = [Object.keys(rows[0]!).join(','), ...lines, ''].join('\n');
  const result = await importPolls({ db, clock, source: Readable.from([Buffer.from(csv)]) });
  expect(result.errors).toEqual([]);
}

eachDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  const start = async () => {
    const { db } = await open();
    app = await startTestApp(db);
    return db;
  };
  const search = async (q: string, more: { type?: SearchKind; page?: number } = {}) => {
    const response = await app!.fetch(pathOf('search', {}, { q, ...more }));
    const body = (await response.json()) as SearchPage;
    expect([response.status, isPage(body)], JSON.stringify(body)).toEqual([200, true]);
    return body;
  };
  const paths = async (q: string, more: Parameters<typeof search>[1] = {}) =>
    (await search(q, more)).results.map(({ path }) => path);
  const suggested = async (q: string) =>
    (
      (await (await app!.fetch(`/api/search/suggestions?${new URLSearchParams({ q })}`)).json()) as SearchSuggestion[]
    ).map(({ path }) => path);

  test('a poll is found by words of its question, description, options, tags, and category, and once it is closed of its summary and analysis', async () => {
    const db = await start();
    const more = {
      ...{ description: 'Alpha about trams.', category: 'Betatown', tags: 'gammaray, other', summary: 'Delta at last' },
      ...{ analysis: '<p title="hidden">Epsilon &amp; <b>zeta</b></p><p>eta</p>' },
    };
    await imported(db, { one: 'Which harbor is best?' }, more);
    await imported(db, { two: 'Something else?' });
    const reported = ['delta', 'epsilon', 'zeta', 'eta'];
    for (const word of reported) expect(await paths(word), word).toEqual([]);
    await closePoll({ db, clock }, 'one');
    for (const word of ['harbor', 'alpha', 'betatown', 'gammaray', 'Harbors TRAM', ...reported])
      expect(await paths(word), word).toEqual(['/poll/one']);
    expect((await paths('bronze')).sort()).toEqual(['/poll/one', '/poll/two']);
    for (const word of ['hidden', 'amp', 'strong', 'nothing-like-it']) expect(await paths(word), word).toEqual([]);
    await reopenPoll({ db, clock }, 'one');
    for (const word of reported) expect(await paths(word), word).toEqual([]);
  });

  test('words of the question weigh more than options and tags, and these more than the description', async () => {
    const db = await start();
    await imported(db, { last: 'Which of these, third?' }, { description: 'About lighthouses.' });
    await imported(db, { middle: 'Which of these, second?' }, { tags: 'lighthouse' });
    await imported(db, { first: 'Which lighthouse?' });
    await imported(db, { none: 'Which of these, fourth?' });
    expect(await paths('lighthouse')).toEqual(['/poll/first', '/poll/middle', '/poll/last']);
  });

  test('found words are marked in title and snippet, other inflections and diacritics included', async () => {
    const db = await start();
    await imported(db, { one: 'Do cafés open on <b>Sundays</b>?' }, { description: 'Opening hours of one café.' });
    const { results } = await search('opens sunday');
    const marked = (parts: SearchPage['results'][number]['title'] = []) =>
      parts.map(({ text, marked: is }) => (is ? `[${text}]` : text)).join('');
    expect(marked(results[0]?.title)).toBe('Do cafés [open] on <b>[Sundays]</b>?');
    expect(marked(results[0]?.snippet)).toContain('[Opening] hours of one café.');
    for (const word of ['cafe', 'CAFÉS']) expect(await paths(word), word).toEqual(['/poll/one']);
  });

  test('a part of a text without spaces is found and marked: Chinese, Japanese, Korean, Thai', async () => {
    const db = await start();
    await imported(db, { ja: '東京タワーは好きですか？', zh: '你喜欢喝茶还是咖啡？', ko: '서울에서 살고 싶나요?' });
    await imported(
      db,
      { th: 'คุณชอบดื่มกาแฟหรือไม่', en: 'Tokyo?' },
      { description: `${'前'.repeat(200)}富士山${'後'.repeat(200)}` },
    );
    const found = async (q: string) => (await paths(q)).map((path) => path.split('/').at(-1)).sort();
    for (const [q, id] of [
      ...[
        ['東京', 'ja'],
        ['タワー', 'ja'],
        ['好きです', 'ja'],
        ['咖啡', 'zh'],
        ['茶', 'zh'],
        ['서울', 'ko'],
      ],
      ...[
        ['กาแฟ', 'th'],
        ['ดื่ม', 'th'],
        ['東京 好き', 'ja'],
        ['？', undefined],
        ['京都', undefined],
      ],
    ] as const)
      expect(await found(q), q).toEqual(id === undefined ? [] : [id]);
    expect(await found('富士山')).toEqual(['en', 'th']);
    await imported(db, { title: '富士山？' });
    await imported(db, { newest: 'Mountains?' }, { description: '富士山' });
    expect((await paths('富士山'))[0]).toBe('/poll/title');
    await db('ballots').whereIn('id', ['title', 'newest']).del();
    expect((await search('東京')).results[0]?.title).toEqual([
      { text: '東京', marked: true },
      { text: 'タワーは好きですか？', marked: false },
    ]);
    const { snippet } = (await search('富士山')).results[0]!;
    expect(snippet.find(({ marked }) => marked)?.text).toBe('富士山');
    expect(snippet.map(({ text }) => text).join('').length).toBeLessThan(200);
    expect([await suggested('タワー'), await suggested('咖啡')]).toEqual([['/poll/ja'], ['/poll/zh']]);
  });

  test('words are found as Unicode folds them: Strassen finds Straßen, and the other way round', async () => {
    const db = await start();
    await imported(db, { one: 'Mehr Straßen?', two: 'Mehr Strassen?', three: 'Ein ﬁnales ＡＢＣ und 新iPhone?' });
    for (const q of ['Strassen', 'STRASSEN', 'Straßen', 'STRAẞEN'])
      expect((await paths(q)).sort(), q).toEqual(['/poll/one', '/poll/two']);
    for (const q of ['finales', 'abc', 'iphone', '新']) expect(await paths(q), q).toEqual(['/poll/three']);
    const titles = (await search('strassen')).results.map(({ title }) => title.find(({ marked }) => marked)?.text);
    expect(titles.sort()).toEqual(['Strassen', 'Straßen']);
  });

  test('with several words, results have all of them; if none has, those with some', async () => {
    const db = await start();
    await imported(db, { both: 'Red herring?', red: 'Red flag?', blue: 'Blue flag?' });
    expect(await search('red herrings')).toMatchObject({ match: 'all', total: 1, isMore: false, corrected: null });
    expect(await search('What should a red herring be?')).toMatchObject({ match: 'all', total: 1 });
    const some = await search('blue herring');
    expect([some.match, some.results.map(({ path }) => path).sort()]).toEqual(['some', ['/poll/blue', '/poll/both']]);
    expect(await search('to be or not to be')).toMatchObject({ total: 0 });
  });

  test('misspelled words are corrected to words of questions, answers, and tags, if nothing contains them as typed', async () => {
    const db = await start();
    await imported(db, { one: 'Does the Climate worry you?' }, { tags: 'weather, café' });
    await imported(db, { two: 'Coffee or tea?' });
    await learnSpellings(db);
    for (const [typed, corrected] of [
      ['climte', 'climate'],
      ['Cliamte & Wether', 'climate & weather'],
      ['siver climat', 'silver climat'],
      ['caffe', 'cafe'],
    ] as const) {
      const found = await search(typed);
      expect([found.corrected, found.match, found.results[0]?.path]).toEqual([corrected, 'all', '/poll/one']);
    }
    expect(await search('cofffee climat')).toMatchObject({ corrected: 'coffee climat', match: 'some', total: 2 });
    expect(await search('worries')).toMatchObject({ corrected: null, total: 1 });
    expect(await search('zzzzzz')).toMatchObject({ corrected: null, total: 0 });
  });

  test('words of edited and deleted polls are not learned again, and forgotten', async () => {
    const db = await start();
    await imported(db, { one: 'Which walnut?', two: 'Which almond?' });
    await learnSpellings(db);
    await editPoll({ db, clock }, 'one', { question: 'Which hazelnut?' });
    await db('ballots').where({ id: 'two' }).del();
    await learnSpellings(db);
    expect(await search('walnit')).toMatchObject({ corrected: null, total: 0 });
    expect(await search('hazlnut')).toMatchObject({ corrected: 'hazelnut', total: 1 });
    await forgetSpellings(db);
    const words = await db('search_spellings').distinct('word').orderBy('word').pluck('word');
    expect(words).toEqual(['bronze', 'hazelnut', 'silver', 'which']);
    expect(await db('search_unlearned').pluck('document_key')).toEqual([]);
  });

  test('a poll that has not started is not found before its start', async () => {
    const db = await start();
    await imported(db, { later: 'Which comet?' }, { starts_at: '2026-11-21' });
    expect([await paths('comet'), await suggested('com')]).toEqual([[], []]);
    // Nor do corrections tell its words.
    await imported(db, { now: 'Which planet?' });
    await learnSpellings(db);
    expect(await search('planet commet')).toMatchObject({ corrected: null, match: 'some', total: 1 });
    app!.clock.set(testNow + day);
    expect([await paths('comet'), await suggested('com')]).toEqual([['/poll/later'], ['/poll/later']]);
    expect(await search('commet')).toMatchObject({ corrected: 'comet', total: 1 });
  });

  test('an open poll becomes a report when it closes, by hand or at its end, and a poll again when it is reopened', async () => {
    const db = await start();
    await imported(db, { byhand: 'Which planet by hand?', due: 'Which planet?' });
    const kinds = async () =>
      Promise.all((['poll', 'report'] as const).map(async (type) => (await paths('planet', { type })).sort()));
    expect(await kinds()).toEqual([['/poll/byhand', '/poll/due'], []]);
    await closePoll({ db, clock }, 'byhand');
    expect(await kinds()).toEqual([['/poll/due'], ['/poll/byhand']]);
    await reopenPoll({ db, clock }, 'byhand', new Date(testNow + 90 * day).toISOString());
    app!.clock.set(Date.parse('2026-12-25'));
    await closeDue({ db, clock: app!.clock });
    expect(await kinds()).toEqual([['/poll/byhand'], ['/poll/due']]);
  });

  test('an edit is searchable immediately, and the earlier text no longer is', async () => {
    const db = await start();
    await imported(db, { one: 'Which walnut?' });
    await editPoll({ db, clock }, 'one', { question: 'Which almond?', options: [{ id: 'bronze', text: 'Copper' }] });
    expect([await paths('walnut'), await paths('bronze'), await paths('almond copper')]).toEqual([
      [],
      [],
      ['/poll/one'],
    ]);
    expect([await suggested('waln'), await suggested('almo')]).toEqual([[], ['/poll/one']]);
    await imported(db, { one: 'Which hazelnut?' });
    expect([await paths('almond'), await paths('hazelnut')]).toEqual([[], ['/poll/one']]);
  });

  test('undoing an import restores what search finds', async () => {
    const db = await start();
    await imported(db, { old: 'Which violin?' });
    await imported(db, { old: 'Which trumpet?', added: 'Which drum?' });
    expect([await paths('violin'), await paths('trumpet'), await paths('drum')]).toEqual([
      [],
      ['/poll/old'],
      ['/poll/added'],
    ]);
    await undoImport({ db, clock }, (await lastImport(db))!);
    expect([await paths('violin'), await paths('trumpet'), await paths('drum')]).toEqual([['/poll/old'], [], []]);
    expect(await db('search_documents').pluck('ballot_id')).toEqual(['old']);
  });

  test('public community polls are found until they are deleted; unlisted and private ones never are', async () => {
    await start();
    const ada = await registered(app!, 'ada');
    const open = await made(ada, { question: 'Public kayak?' });
    await made(ada, { question: 'Unlisted kayak?', visibility: 'unlisted' });
    await made(ada, { question: 'Private kayak?', visibility: 'private' });
    expect([await paths('kayak'), await suggested('kay')]).toEqual([
      [`/community-polls/${open.id}`],
      [`/community-polls/${open.id}`],
    ]);
    expect(await paths('kayak', { type: 'community' })).toHaveLength(1);
    expect((await ask(ada, `/api/community-polls/${open.id}`, 'DELETE')).status).toBe(204);
    expect([await paths('kayak'), await suggested('kay')]).toEqual([[], []]);
  });

  test('articles are found while they are published', async () => {
    const db = await start();
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-search-'));
    try {
      const head = ['excerpt: Short.', 'category: Numbers', 'author: The desk', 'tags: [one, two, three]'];
      await mkdir(join(folder, 'blog'));
      const file = join(folder, 'blog/on-error.md');
      const text = [
        '---',
        'title: On error',
        ...head,
        'publishedAt: 2026-03-04',
        '---',
        '',
        'A *binomial* spread.',
        '',
      ];
      await writeFile(file, text.join('\n'));
      await loadContent({ db, clock, folder });
      expect(await paths('binomials', { type: 'article' })).toEqual(['/blog/on-error']);
      await rm(file);
      await loadContent({ db, clock, folder });
      expect(await paths('binomials')).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('the newest documents with a frequent word are ranked and counted, in pages that share none', async () => {
    const db = await start();
    const count = searchRanked + 7;
    // PostgreSQL searches the newest sections of 8,192 first; this begins one among these documents.
    if (!isSqlite(db)) await db.raw('alter sequence search_documents_key_seq restart with 8092');
    const name = (n: number) => `p${String(n).padStart(3, '0')}`;
    await seedPolls(
      db,
      Array.from({ length: count }, (_, n) => ({ id: name(n), question: `Frequent ${name(n)}?` })),
    );
    await buildSearchIndex(db);
    const pages = await Promise.all([1, 2, 15].map((page) => search('frequent', { page })));
    expect(pages[0]).toMatchObject({ total: searchRanked, isMore: true, pages: 15 });
    const found = pages.flatMap(({ results }) => results.map(({ path }) => path));
    expect(new Set(found).size).toBe(3 * searchPageSize);
    expect(found).toContain(`/poll/${name(count - 1)}`);
    expect(found).not.toContain(`/poll/${name(0)}`);
    expect(await search(`frequent ${name(0)}`)).toMatchObject({ total: 1, isMore: false });
  });

  test('suggestions have words that begin like each typed one, open polls first, then newest first', async () => {
    const db = await start();
    await imported(db, { open: 'Educational trips to the coast?' });
    await imported(db, { closed: 'Coastal education?' }, { closed_at: '2026-11-10', is_active: 'false' });
    await imported(db, { older: 'Education?', newer: 'Education again?' }, { is_active: 'true' });
    expect(await suggested('coas educati')).toEqual(['/poll/open', '/poll/closed']);
    expect((await suggested('ed'))[3]).toBe('/poll/closed');
    expect(await suggested('e')).toEqual([]);
    expect(await suggested('ducation')).toEqual([]);
  });

  test('no input is read as query syntax or fails', async () => {
    const db = await start();
    await imported(db, { one: 'Isn’t C++ "rock-n-roll" (AND not OR) 100%?' });
    const typed = [
      ...[
        "o'brien",
        'foo-bar',
        'C++',
        '*',
        '""',
        '"',
        'a AND',
        'OR',
        'NOT rock',
        'NEAR(rock roll)',
        'title:rock',
        '-rock',
      ],
      ...[
        'rock & | ! roll',
        'rock <-> roll',
        "');drop table polls;--",
        '\\',
        '%',
        '_',
        ':*',
        "rock':*",
        '🙂',
        '٣',
        '中文',
      ],
      ...[
        '{title} : rock',
        '^rock',
        '\u202e',
        'x'.repeat(searchLength),
        'a '.repeat(100),
        '\ud800',
        '\u0001\u0002',
        '',
      ],
    ];
    for (const q of typed) {
      expect((await app!.fetch(pathOf('search', {}, { q: q.toWellFormed() }))).status, q).toBe(200);
      expect((await app!.fetch(`/api/search/suggestions?q=${encodeURIComponent(q.toWellFormed())}`)).status, q).toBe(
        200,
      );
    }
    for (const q of ['rock-n-roll', '"ROCK" roll', 'title:rock isn’t', 'rock <-> roll']) {
      const { match, total } = await search(q);
      expect([q, total, q.startsWith('title') ? 'some' : 'all']).toEqual([q, 1, match]);
    }
    for (const query of [
      'q=%00',
      `q=${'x'.repeat(searchLength + 1)}`,
      'q=a&page=0',
      'q=a&page=16',
      'q=a&type=vote',
      'a=b',
    ])
      expect((await app!.fetch(`/api/search?${query}`)).status, query).toBe(400);
  });

  test('an index that is missing or of another version is rebuilt', async () => {
    const db = await start();
    await seedPolls(db, [
      { id: 'one', question: 'Which glacier?' },
      { id: 'off', question: 'Glacier?', isActive: false },
    ]);
    const ada = await registered(app!, 'ada');
    await made(ada, { question: 'Glacier or fjord?' });
    await made(ada, { question: 'Secret glacier?', visibility: 'private' });
    await db('search_documents').del();
    const shown: number[][] = [];
    await buildSearchIndex(db, (...progress) => shown.push(progress));
    expect(await paths('glacier')).toHaveLength(2);
    expect(shown.at(-1)).toEqual([4, 4]);
    await db('search_documents').del();
    await buildSearchIndex(db);
    expect(await paths('glacier')).toEqual([]);
    await db('installation').where({ name: 'search index' }).update({ value: '0' });
    await buildSearchIndex(db);
    expect(await paths('glacier')).toHaveLength(2);
  });

  test('what is rolled back is not found', async () => {
    const db = await start();
    await imported(db, { one: 'Which orchid?' });
    const failed = db.transaction(async (trx) => {
      await trx('polls').where({ id: 'one' }).update({ question: 'Which tulip?' });
      await indexPolls(trx, ['one']);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect([await paths('orchid'), await paths('tulip')]).toEqual([['/poll/one'], []]);
  });
});

import { pathOf } from '#contract/routes.ts';
import type { SearchKind } from '#contract/search.ts';
import { buildSearchIndex } from '#api/search/search-index.service.ts';
import { learnSpellings } from '#api/search/spelling.service.ts';
import { searchPage, searchSuggested } from '#api/search/search.service.ts';
import { updateRows } from '#platform/bulk-rows.ts';
import { systemClock } from '#platform/clock.ts';
import { isSqlite, migrate } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { benchTexts } from './texts.ts';
import { benchPages } from './lists.bench.ts';
import type { Page } from './lists.bench.ts';
import { makeCommunityPolls, makePolls } from './make-polls.ts';
import { withBar } from './report.ts';
import type { Row } from './report.ts';

const texts = benchTexts.search;

/** Distinct words in all texts; the n-th is n times rarer than the first (Zipf’s law). */
const vocabulary = 30_000;
const wordsIn = { question: 10, description: 25, summary: 20, analysis: 120 } as const;
/** Polls whose texts are written at once. */
const portion = 500;

const consonants = 'bcdfghklmnprstvz';
const vowels = 'aeiou';

/** The word with a rank: pronounceable and unlike the others. */
export function wordOf(rank: number): string {
  let word = '';
  for (let left = rank + 1_000; left > 0; left = Math.floor(left / 80))
    word += consonants[left % 16]! + vowels[Math.floor(left / 16) % 5]!;
  return `${word}k`;
}

/** A random word; each run has the same sequence. */
function wordSource(): (count: number) => string {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return wordOf(Math.floor(vocabulary ** (state / 2_147_483_647)));
  };
  return (count) => Array.from({ length: count }, next).join(' ');
}

interface SearchBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  /** The number of closed polls; there are a twentieth as many community polls. */
  readonly polls: number;
  report(line: string): void;
}

/** Measures searches and suggestions among many polls, one after the other, in the database and over HTTP. */
export const benchSearch = (options: SearchBenchOptions): Promise<Row[]> =>
  benchPages(options, async (db, engine) => {
    await fill(db, engine, options);
    return pages();
  });

async function fill(db: Database, engine: string, options: SearchBenchOptions): Promise<void> {
  const { polls } = options;
  await migrate(db);
  await withBar(benchTexts.lists.makingPolls(engine), polls, (show) => makePolls(db, polls, 'closed', show));
  await makeCommunityPolls(db, Math.ceil(polls / 20));
  const words = wordSource();
  const columns = { id: 'text', question: 'text', description: 'text', summary: 'text', analysis: 'text' } as const;
  await withBar(texts.writing(engine), polls, async (show) => {
    for (let from = 0; from < polls; from += portion) {
      const rows = Array.from({ length: Math.min(portion, polls - from) }, (_, n) => ({
        id: `closed-poll-${from + n + 1}`,
        question: `${words(wordsIn.question)}?`,
        description: words(wordsIn.description),
        summary: words(wordsIn.summary),
        analysis: `<p>${words(wordsIn.analysis)}</p>`,
      }));
      const set = 'question = v.question, description = v.description, summary = v.summary, analysis = v.analysis';
      await updateRows(db, 'polls', columns, rows, set, 'polls.id = v.id');
      show(from + rows.length);
    }
  });
  const started = performance.now();
  await withBar(texts.indexing(engine), polls, (show) => buildSearchIndex(db, show));
  options.report(texts.built(engine, polls, (performance.now() - started) / 1_000));
  for (let more = true; more;) more = await learnSpellings(db);
  // PostgreSQL’s autovacuum would do this within minutes.
  if (!isSqlite(db)) await db.raw('vacuum analyze');
}

function pages(): Page[] {
  const search = (name: string, q: string, type?: SearchKind): Page => ({
    name,
    path: pathOf('search', {}, { q, type }),
    find: async (db) => (await searchPage({ db, clock: systemClock }, { q, ...(type && { type }) })).results,
  });
  const suggest = (name: string, q: string): Page => ({
    name,
    path: pathOf('searchSuggestions', {}, { q }),
    find: (db) => searchSuggested({ db, clock: systemClock }, q),
  });
  const [frequent, second, third] = [wordOf(1), wordOf(2), wordOf(3)];
  const [common, rare] = [wordOf(200), wordOf(20_000)];
  return [
    search(texts.frequent, frequent),
    search(texts.frequentOnes, `${frequent} ${second} ${third}`),
    search(texts.common, common),
    search(texts.commonOnes, `${common} ${wordOf(300)} ${wordOf(400)}`),
    search(texts.rare, rare),
    search(texts.mixed, `${frequent} ${rare}`),
    search(texts.some, `${frequent} ${common} nothinglikeit`),
    search(texts.misspelled, `${common} ${rare.slice(0, 2)}${rare.slice(3)}`),
    search(texts.typed, frequent, 'report'),
    search(texts.otherKind, 'community poll', 'community'),
    suggest(texts.letters, frequent.slice(0, 2)),
    suggest(texts.word, `${frequent} ${rare.slice(0, 4)}`),
  ];
}

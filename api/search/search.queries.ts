import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { SearchKind } from './search.contract.ts';
import { foldedWord, isUnspaced, pairsOf } from '#domain/search-text.ts';

/** Markers around matches in titles and snippets; indexed texts have no control characters. */
export const marks = { begin: '\u0001', end: '\u0002' } as const;

/** Weights of a match in the title and in the details. */
const weights = { title: 10, details: 4 } as const;
/** Words of a snippet. */
const snippetWords = { fewest: 20, most: 28 } as const;
/** The newest titles from which suggestions are chosen. */
const suggestedFrom = 50;

/** The terms, and which documents are searched. */
interface SearchCriteria {
  /** From `searchTerms`: letters and digits only, at least one. */
  readonly terms: readonly string[];
  /** Whether a document must have all terms, or some. */
  readonly match: 'all' | 'some';
  readonly kind: SearchKind | null;
  readonly now: number;
}

interface Page {
  readonly ranked: number;
  readonly limit: number;
  readonly offset: number;
}

/** A found document, with markers around matches. */
export interface FoundRow {
  readonly kind: SearchKind;
  readonly ballot_id: string | null;
  readonly slug: string | null;
  readonly dated_at: number;
  readonly title: string;
  readonly snippet: string;
  /** For terms of scripts without spaces. */
  readonly body: string | null;
}

/** How a query language combines words; quoted, they are words, never syntax. */
interface Syntax {
  readonly word: (text: string) => string;
  readonly beginning: (text: string) => string;
  readonly and: string;
  readonly or: string;
}
const fts: Syntax = { word: (text) => `"${text}"`, beginning: (text) => `"${text}" *`, and: ' AND ', or: ' OR ' };
const ts: Syntax = { word: (text) => `'${text}'`, beginning: (text) => `'${text}':*`, and: ' & ', or: ' | ' };

/** A term as a query: as typed, or folded; of a script without spaces, with all its pairs of characters. */
function termQuery(term: string, { word, beginning, and, or }: Syntax): string {
  if (!isUnspaced(term)) {
    const folded = foldedWord(term);
    return folded === '' || folded === term ? word(term) : `(${word(term)}${or}${word(folded)})`;
  }
  const pairs = pairsOf(term);
  const [first = term] = pairs;
  // Each character but the last one of a text begins a pair.
  if (pairs.length < 2) return /^\P{M}\p{M}*$/u.test(first) ? beginning(first) : word(first);
  return `(${pairs.map(word).join(and)})`;
}

const termsQuery = ({ terms, match }: Pick<SearchCriteria, 'terms' | 'match'>, syntax: Syntax) =>
  terms.map((term) => termQuery(term, syntax)).join(match === 'all' ? syntax.and : syntax.or);

/** The terms as a query of FTS5. */
const ftsQuery = ({ kind, ...criteria }: Omit<SearchCriteria, 'now'>) =>
  `${kind === null ? '' : `kind : "${kind}" AND `}{title details body folded} : (${termsQuery(criteria, fts)})`;

/** The terms as a query for `to_tsquery`. */
const tsQuery = (criteria: Pick<SearchCriteria, 'terms' | 'match'>) => termsQuery(criteria, ts);

/** The column of texts from which snippets of scripts without spaces are cut; the databases can only cut at words. */
const bodyFor = (terms: readonly string[]) => (terms.some(isUnspaced) ? 'd.body' : 'null');

/**
 * One page of the newest `ranked` documents with the terms, best first, and how many of these there are. A frequent word
 * costs no more than a rare one: the newest documents are read from the index in their order.
 */
export async function foundDocuments(
  db: Database,
  criteria: SearchCriteria,
  { ranked, limit, offset }: Page,
): Promise<{ rows: FoundRow[]; total: number }> {
  return isSqlite(db)
    ? foundInSqlite(db, criteria, { ranked, limit, offset })
    : foundInPostgres(db, criteria, { ranked, limit, offset });
}

async function foundInSqlite(db: Database, criteria: SearchCriteria, { ranked, limit, offset }: Page) {
  const query = ftsQuery(criteria);
  // FTS5’s bm25 would read all positions of each word, which takes 100 ms for a few frequent ones.
  const hits = (column: number) => {
    const highlighted = `highlight(search_index, ${column}, :begin, '')`;
    return `length(${highlighted}) - length(replace(${highlighted}, :begin, ''))`;
  };
  const within = termsWithin(criteria.terms, 'instr');
  const keys = await db.raw<{ key: number; total: number }[]>(
    `with newest as materialized (
       select search_index.rowid as key,
         ${weights.title} * (${hits(1)} + ${within.in('d.title')})
           + ${weights.details} * (${hits(2)} + ${within.in('d.details')}) as rank
       from search_index join search_documents d on d.key = search_index.rowid
       where search_index match :query and d.starts_at <= :now
       order by search_index.rowid desc limit :ranked
     )
     select key, count(*) over () as total from newest order by rank desc, key desc limit :limit offset :offset`,
    { begin: marks.begin, query, now: criteria.now, ranked, limit, offset, ...within.bindings },
  );
  // Texts of this page only.
  const rows = await db.raw<FoundRow[]>(
    `select d.kind, d.ballot_id, d.slug, d.dated_at, highlight(search_index, 1, :begin, :end) as title,
       snippet(search_index, 3, :begin, :end, '…', ${snippetWords.most}) as snippet,
       ${bodyFor(criteria.terms)} as body
     from json_each(:keys) wanted
     cross join search_index on search_index.rowid = wanted.value
     cross join search_documents d on d.key = wanted.value
     where search_index match :query order by wanted.key`,
    { ...marks, query, keys: JSON.stringify(keys.map(({ key }) => key)) },
  );
  return { rows, total: keys[0]?.total ?? 0 };
}

/** How many terms of scripts without spaces a column contains, as an expression: the index doesn’t tell in which column. */
function termsWithin(terms: readonly string[], placeIn: 'instr' | 'strpos') {
  const within = terms.filter(isUnspaced);
  const has = (column: string) => (_: string, n: number) =>
    `case when ${placeIn}(${column}, :within${n}) > 0 then 1 else 0 end`;
  return {
    in: (column: string) => (within.length === 0 ? '0' : `(${within.map(has(column)).join(' + ')})`),
    bindings: Object.fromEntries(within.map((term, n) => [`within${n}`, term])),
  };
}

/** Documents of a section, each of which has a lexeme for it (`db/schema/postgres.sql`). */
const sectionSize = 8_192;

async function foundInPostgres(db: Database, criteria: SearchCriteria, { ranked, limit, offset }: Page) {
  const query = tsQuery(criteria);
  const ofKind = criteria.kind === null ? '' : ` && ''' ${criteria.kind}'''::tsquery`;
  const within = termsWithin(criteria.terms, 'strpos');
  const keys = await db.transaction(async (trx) => {
    // PostgreSQL underestimates the cost of reading `words` of many rows; the index alone needs none.
    const { rows } = await trx.raw<{ rows: { newest: number | null }[] }>(
      `select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
         (select max(key) from search_documents) as newest`,
    );
    const section = Math.floor((rows[0]?.newest ?? 0) / sectionSize);
    const find = async (inSections: string) => {
      const found = await trx.raw<{ rows: { key: number; total: number }[] }>(
        `with newest as materialized (
           select key, head, ${within.in('title')} as in_title, ${within.in('details')} as in_details
           from search_documents
           where words @@ (to_tsquery('search_stems', :query)${ofKind}${inSections}) and starts_at <= :now
           order by key desc limit :ranked
         )
         select key, count(*) over () as total from newest
         order by ts_rank(array[0, 0, 0.4, 1], head, to_tsquery('search_stems', :query)) + in_title + 0.4 * in_details desc,
           key desc
         limit :limit offset :offset`,
        { query, now: criteria.now, ranked, limit, offset, ...within.bindings },
      );
      return found.rows;
    };
    // A frequent word has enough matches in the newest one or two sections; a rarer one is quick to find in all of them.
    for (const sections of section === 0 ? [] : [[section], [section, section - 1]]) {
      const found = await find(` && ''' ${sections.join("'' | '' ")}'''::tsquery`);
      if (found[0]?.total === ranked) return found;
    }
    return find('');
  });
  if (keys.length === 0) return { rows: [], total: 0 };
  const headline = (column: string, options: string) =>
    `ts_headline('search_stems', ${column}, to_tsquery('search_stems', :query),
       format('StartSel=%s, StopSel=%s, ${options}', :begin::text, :end::text))`;
  // Texts of this page only.
  const { rows } = await db.raw<{ rows: FoundRow[] }>(
    `select kind, ballot_id, slug, dated_at, ${headline('title', 'HighlightAll=true')} as title,
       ${headline('body', `MinWords=${snippetWords.fewest}, MaxWords=${snippetWords.most}`)} as snippet,
       ${bodyFor(criteria.terms)} as body
     from search_documents d where key = any(:keys) order by array_position(:keys::int[], key)`,
    { ...marks, query, keys: keys.map(({ key }) => key) },
  );
  return { rows, total: keys[0]?.total ?? 0 };
}

/** A title that suggestions offer. */
export type SuggestedRow = Pick<FoundRow, 'kind' | 'ballot_id' | 'slug' | 'title'>;

/** Documents whose titles have words beginning like each term, open polls first, then newest first. */
export async function suggestedDocuments(
  db: Database,
  { terms, now, limit }: Pick<SearchCriteria, 'terms' | 'now'> & { readonly limit: number },
): Promise<SuggestedRow[]> {
  const order = "case kind when 'poll' then 0 else 1 end, key desc";
  const within = terms.filter(isUnspaced);
  if (within.length > 0) return suggestedWithin(db, { terms, now, limit }, within, order);
  if (isSqlite(db))
    return db.raw<SuggestedRow[]>(
      `select kind, ballot_id, slug, title from (
         select d.key, d.kind, d.ballot_id, d.slug, d.title
         from search_titles join search_documents d on d.key = search_titles.rowid
         where search_titles match ? and d.starts_at <= ? order by search_titles.rowid desc limit ${suggestedFrom}
       ) order by ${order} limit ?`,
      [terms.map((term) => `"${term}" *`).join(' '), now, limit],
    );
  const { rows } = await db.raw<{ rows: SuggestedRow[] }>(
    `select kind, ballot_id, slug, title from (
       select key, kind, ballot_id, slug, title from search_documents
       where title_words @@ to_tsquery('pg_catalog.simple', ?) and starts_at <= ? order by key desc limit ${suggestedFrom}
     ) newest order by ${order} limit ?`,
    [terms.map((term) => `'${term}':*`).join(' & '), now, limit],
  );
  return rows;
}

/** The same for terms of scripts without spaces, which may be anywhere in a title. */
async function suggestedWithin(
  db: Database,
  { terms, now, limit }: Pick<SearchCriteria, 'terms' | 'now'> & { readonly limit: number },
  within: readonly string[],
  order: string,
): Promise<SuggestedRow[]> {
  const criteria = { terms, match: 'all', kind: null } as const;
  const [has, from, query] = isSqlite(db)
    ? [
        'instr(d.title, ?) > 0',
        'search_index join search_documents d on d.key = search_index.rowid',
        ftsQuery(criteria),
      ]
    : ['strpos(d.title, ?) > 0', 'search_documents d', tsQuery(criteria)];
  const matches = isSqlite(db) ? 'search_index match ?' : "words @@ to_tsquery('search_stems', ?)";
  const found = await db.raw<SuggestedRow[] | { rows: SuggestedRow[] }>(
    `select kind, ballot_id, slug, title from (
       select d.key, d.kind, d.ballot_id, d.slug, d.title from ${from}
       where ${[matches, 'd.starts_at <= ?', ...within.map(() => has)].join(' and ')}
       order by d.key desc limit ${suggestedFrom}
     ) newest order by ${order} limit ?`,
    [query, now, ...within, limit],
  );
  return Array.isArray(found) ? found : found.rows;
}

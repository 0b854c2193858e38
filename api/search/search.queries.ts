import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { SearchKind } from '#contract/search.ts';

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
}

/** The terms as a query of FTS5. Quoted, they are words, never syntax. */
function ftsQuery({ terms, match, kind }: Omit<SearchCriteria, 'now'>): string {
  const words = terms.map((term) => `"${term}"`).join(match === 'all' ? ' AND ' : ' OR ');
  return `${kind === null ? '' : `kind : "${kind}" AND `}{title details body} : (${words})`;
}

/** The terms as a query for `to_tsquery`; quoted, they are words, never syntax. */
function tsQuery({ terms, match }: Pick<SearchCriteria, 'terms' | 'match'>): string {
  return terms.map((term) => `'${term}'`).join(match === 'all' ? ' & ' : ' | ');
}

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
  const keys = await db.raw<{ key: number; total: number }[]>(
    `with newest as materialized (
       select search_index.rowid as key, ${weights.title} * (${hits(1)}) + ${weights.details} * (${hits(2)}) as rank
       from search_index join search_documents d on d.key = search_index.rowid
       where search_index match :query and d.starts_at <= :now
       order by search_index.rowid desc limit :ranked
     )
     select key, count(*) over () as total from newest order by rank desc, key desc limit :limit offset :offset`,
    { begin: marks.begin, query, now: criteria.now, ranked, limit, offset },
  );
  // Texts of this page only.
  const rows = await db.raw<FoundRow[]>(
    `select d.kind, d.ballot_id, d.slug, d.dated_at, highlight(search_index, 1, :begin, :end) as title,
       snippet(search_index, 3, :begin, :end, '…', ${snippetWords.most}) as snippet
     from json_each(:keys) wanted
     cross join search_index on search_index.rowid = wanted.value
     cross join search_documents d on d.key = wanted.value
     where search_index match :query order by wanted.key`,
    { ...marks, query, keys: JSON.stringify(keys.map(({ key }) => key)) },
  );
  return { rows, total: keys[0]?.total ?? 0 };
}

/** Documents of a section, each of which has a lexeme for it (migration 035). */
const sectionSize = 8_192;

async function foundInPostgres(db: Database, criteria: SearchCriteria, { ranked, limit, offset }: Page) {
  const query = tsQuery(criteria);
  const ofKind = criteria.kind === null ? '' : ` && ''' ${criteria.kind}'''::tsquery`;
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
           select key, head from search_documents
           where words @@ (to_tsquery('search_stems', :query)${ofKind}${inSections}) and starts_at <= :now
           order by key desc limit :ranked
         )
         select key, count(*) over () as total from newest
         order by ts_rank(array[0, 0, 0.4, 1], head, to_tsquery('search_stems', :query)) desc, key desc
         limit :limit offset :offset`,
        { query, now: criteria.now, ranked, limit, offset },
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
       ${headline('body', `MinWords=${snippetWords.fewest}, MaxWords=${snippetWords.most}`)} as snippet
     from search_documents where key = any(:keys) order by array_position(:keys::int[], key)`,
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

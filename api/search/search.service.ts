import { searchPageSize, searchRanked, searchSuggestions, suggestedFrom } from './search.contract.ts';
import type { MarkedText, SearchKind, SearchPage, SearchSuggestion } from './search.contract.ts';
import { foldedWord, isUnspaced, replaceTerms, searchTerms } from '#domain/search-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { foundDocuments, marks, suggestedDocuments } from './search.queries.ts';
import type { FoundRow } from './search.queries.ts';
import { correctedTerms } from './spelling.service.ts';

export interface SearchContext {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * One page of the documents with all terms of a text; if there are none, of those with all terms after unknown ones are
 * corrected, or else of those with some terms. Empty for a text without terms.
 */
export async function searchPage(
  { db, clock }: SearchContext,
  { q = '', type = null, page = 1 }: { q?: string; type?: SearchKind | null; page?: number },
): Promise<SearchPage> {
  const criteria = { match: 'all', kind: type, now: clock.now() } as const;
  const part = { ranked: searchRanked, limit: searchPageSize, offset: (page - 1) * searchPageSize };
  const typed = searchTerms(q);
  const first = typed.length === 0 ? null : await foundDocuments(db, { ...criteria, terms: typed }, part);
  if (first === null || first.total > 0) return present(first, { page, match: 'all', corrected: null, terms: typed });

  const isKnown = async (term: string) =>
    (await foundDocuments(db, { ...criteria, kind: null, terms: [term] }, { ranked: 1, limit: 1, offset: 0 })).total >
    0;
  const corrections = await correctedTerms(db, typed);
  for (const [term, word] of [...corrections])
    // Words are also learned of polls that have not started.
    if ((await isKnown(term)) || !(await isKnown(word))) corrections.delete(term);
  const terms = typed.map((term) => corrections.get(term) ?? term);
  const corrected = corrections.size === 0 ? null : replaceTerms(q.trim(), corrections);
  for (const match of ['all', 'some'] as const) {
    // Already searched.
    if (match === 'all' ? corrected === null : terms.length === 1) continue;
    const found = await foundDocuments(db, { ...criteria, terms, match }, part);
    if (found.total > 0) return present(found, { page, match, corrected, terms });
  }
  return present(null, { page, match: 'all', corrected: null, terms });
}

function present(
  found: { readonly rows: readonly FoundRow[]; readonly total: number } | null,
  { page, match, corrected, terms }: Pick<SearchPage, 'page' | 'match' | 'corrected'> & { terms: readonly string[] },
): SearchPage {
  const { rows, total } = found ?? { rows: [], total: 0 };
  return {
    results: rows.map((row) => ({
      kind: row.kind,
      path: pathOf(row),
      title: markedText(withMarks(row.title, terms)),
      snippet: markedText(withMarks(snippetOf(row, terms), terms)),
      date: iso(row.dated_at),
    })),
    total,
    isMore: total === searchRanked,
    page,
    pages: Math.max(1, Math.ceil(total / searchPageSize)),
    match,
    corrected,
  };
}

/** Titles for a text that is still being typed. */
export async function searchSuggested({ db, clock }: SearchContext, q = ''): Promise<SearchSuggestion[]> {
  const terms = searchTerms(q);
  if (terms.join('').length < suggestedFrom) return [];
  const rows = await suggestedDocuments(db, { terms, now: clock.now(), limit: searchSuggestions });
  return rows.map((row) => ({ kind: row.kind, path: pathOf(row), title: row.title }));
}

function pathOf({ kind, ballot_id, slug }: Pick<FoundRow, 'kind' | 'ballot_id' | 'slug'>): string {
  if (kind === 'article') return `/blog/${slug}`;
  return `/${kind === 'community' ? 'community-polls' : 'poll'}/${encodeURIComponent(ballot_id ?? '')}`;
}

/** Characters before and after a term in a snippet of a script without spaces. */
const snippetChars = { before: 30, after: 90 } as const;

/** The database’s snippet, or where its words say nothing, the characters around the first term. */
function snippetOf({ snippet, body }: FoundRow, terms: readonly string[]): string {
  if (body === null || snippet.includes(marks.begin)) return snippet;
  const places = terms.filter(isUnspaced).map((term) => body.indexOf(term));
  const place = Math.max(0, places.find((at) => at !== -1) ?? 0);
  const [from, to] = [Math.max(0, place - snippetChars.before), place + snippetChars.after];
  const part = body.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${part}${to < body.length ? '…' : ''}`;
}

/** Also marks what the database’s words don’t show: words that are the same once folded, and terms without spaces. */
function withMarks(text: string, terms: readonly string[]): string {
  const folded = new Set(terms.map(foldedWord));
  const inside = terms.filter(isUnspaced);
  const within = inside.length === 0 ? null : new RegExp(inside.join('|'), 'gu');
  const mark = (found: string) => `${marks.begin}${found}${marks.end}`;
  return text.replace(/\u0001[^\u0001\u0002]*\u0002|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu, (found) => {
    if (found.startsWith(marks.begin)) return found;
    if (folded.has(foldedWord(found))) return mark(found);
    return within === null ? found : found.replace(within, mark);
  });
}

/** Splits a text at its markers. */
function markedText(text: string): MarkedText {
  return text.split(marks.begin).flatMap((part, n) => {
    const [marked, rest = ''] = n === 0 ? ['', part] : part.split(marks.end);
    return [
      ...(marked === undefined || marked === '' ? [] : [{ text: marked, marked: true }]),
      ...(rest === '' ? [] : [{ text: rest, marked: false }]),
    ];
  });
}

import { searchPageSize, searchRanked, searchSuggestions, suggestedFrom } from '#contract/search.ts';
import type { MarkedText, SearchKind, SearchPage, SearchSuggestion } from '#contract/search.ts';
import { searchTerms } from '#domain/search-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { foundDocuments, marks, suggestedDocuments } from './search.queries.ts';
import type { FoundRow } from './search.queries.ts';

export interface SearchContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** One page of what has all terms of a text, or if nothing has, some of them; empty for a text without terms. */
export async function searchPage(
  { db, clock }: SearchContext,
  { q = '', type = null, page = 1 }: { q?: string; type?: SearchKind | null; page?: number },
): Promise<SearchPage> {
  const terms = searchTerms(q);
  const find = (match: SearchPage['match']) =>
    terms.length === 0
      ? { rows: [], total: 0 }
      : foundDocuments(
          db,
          { terms, match, kind: type, now: clock.now() },
          { ranked: searchRanked, limit: searchPageSize, offset: (page - 1) * searchPageSize },
        );
  const all = await find('all');
  const [found, match] =
    all.total === 0 && terms.length > 1 ? ([await find('some'), 'some'] as const) : ([all, 'all'] as const);
  return {
    results: found.rows.map((row) => ({
      kind: row.kind,
      path: pathOf(row),
      title: markedText(row.title),
      snippet: markedText(row.snippet),
      date: iso(row.dated_at),
    })),
    total: found.total,
    isMore: found.total === searchRanked,
    page,
    pages: Math.max(1, Math.ceil(found.total / searchPageSize)),
    match,
    corrected: null,
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

/** A text with marks as pieces. */
function markedText(text: string): MarkedText {
  return text.split(marks.begin).flatMap((part, n) => {
    const [marked, rest = ''] = n === 0 ? ['', part] : part.split(marks.end);
    return [
      ...(marked === undefined || marked === '' ? [] : [{ text: marked, marked: true }]),
      ...(rest === '' ? [] : [{ text: rest, marked: false }]),
    ];
  });
}

import { searchKinds, searchLength, searchPageSize, searchRanked } from '#api/search/search.contract.ts';
import type { SearchKind } from '#api/search/search.contract.ts';
import { trimText } from '#domain/visible-text.ts';
import { searchPath } from '#texts/search.ts';

/** What the search page shows. */
export interface SearchView {
  /** Trimmed; empty without a search. */
  readonly q: string;
  /** Null for everything. */
  readonly type: SearchKind | null;
  readonly page: number;
}

const lastPage = Math.ceil(searchRanked / searchPageSize);

/** Reads the query of an address; invalid parts are ignored, and a text that is too long is cut. */
export function readSearchView(search: string): SearchView {
  const query = new URLSearchParams(search);
  const text = (query.get('q') ?? '').replaceAll('\0', ' ').slice(0, searchLength).toWellFormed();
  const page = query.get('page') ?? '';
  return {
    q: trimText(text),
    type: searchKinds.find((kind) => kind === query.get('type')) ?? null,
    page: /^[1-9]\d?$/.test(page) ? Math.min(Number(page), lastPage) : 1,
  };
}

/** The address of a view. */
export function searchAddress({ q, type, page }: SearchView): string {
  const query = new URLSearchParams({ ...(q !== '' && { q }), ...(type !== null && { type }) });
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `${searchPath}?${query}` : searchPath;
}

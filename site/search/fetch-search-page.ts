import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import type { SearchPage } from '#contract/search.ts';
import { readFromApi } from '#site/site-config.ts';
import type { SearchView } from './search-view.ts';

/** The results of a view, for a page rendered on demand; null if the API fails. `visitor` is an address, for its rate limits. */
export async function fetchSearchPage({ q, type, page }: SearchView, visitor: string): Promise<SearchPage | null> {
  try {
    const response = await readFromApi(pathOf('search', {}, { q, type: type ?? undefined, page }), {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor },
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
    if (!response.ok) throw new Error(`The API returned ${response.status}.`);
    return (await response.json()) as SearchPage;
  } catch (error) {
    console.error('Could not search.', error);
    return null;
  }
}

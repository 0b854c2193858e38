import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import type { SearchPage, SearchSuggestion } from './search.contract.ts';
import { searchPage, searchSuggested } from './search.service.ts';
import type { SearchContext } from './search.service.ts';

/** The endpoints of search. Concurrent searches for the same text share one query. */
export function mountSearch(router: EndpointRouter, context: SearchContext): void {
  const pages = new SingleFlight<SearchPage>();
  const suggestions = new SingleFlight<SearchSuggestion[]>();
  router
    .mount('search', ({ query }) => pages.get(JSON.stringify(query), () => searchPage(context, query)))
    .mount('searchSuggestions', ({ query }) => suggestions.get(query.q ?? '', () => searchSuggested(context, query.q)));
}

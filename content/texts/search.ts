import type { SearchKind } from '#api/search/search.contract.ts';

export const searchPath = '/search';

const count = (figure: string, results: number) => `${figure} ${results === 1 ? 'result' : 'results'}`;

/** The search page, the search box on every page, and the description for browsers. */
export const searchTexts = {
  title: 'Search',
  titleFor: (query: string) => `“${query}” – Search`,
  description: 'Search polls, reports, community polls, and articles.',
  heading: 'Search',
  label: 'Search polls and articles',
  submit: 'Search',
  open: 'Search',
  suggestions: 'Suggestions',
  filters: 'Type',
  all: 'All',
  kinds: {
    poll: 'Open poll',
    report: 'Report',
    community: 'Community poll',
    article: 'Article',
  } satisfies Record<SearchKind, string>,
  filter: {
    poll: 'Open polls',
    report: 'Reports',
    community: 'Community polls',
    article: 'Articles',
  } satisfies Record<SearchKind, string>,
  results: 'Results',
  found: (figure: string, results: number, query: string) => `${count(figure, results)} for “${query}”`,
  foundSome: (query: string) => `Nothing contains all the words in “${query}”. These contain some of them:`,
  foundInstead: (query: string, corrected: string) => `Nothing matches “${query}”. Results for “${corrected}”:`,
  newestOf: (figure: string) => `These are the best of the newest ${figure} results. Add words to narrow them down.`,
  ends: (date: string) => `ends ${date}`,
  none: {
    title: 'Nothing found',
    text: (query: string) => `No poll, report, or article contains “${query}”. Check the spelling, or try other words.`,
  },
  noneOfKind: {
    text: 'Nothing of this type contains these words.',
    action: 'Search everything',
  },
  start: 'Type a few words of a question, an answer, or a topic.',
  failed: {
    title: 'Search isn’t responding',
    text: 'Please try again in a minute.',
    retry: 'Try again',
  },
  openSearch: (siteName: string) => `Polls and articles on ${siteName}`,
} as const;

import type { SearchKind } from '#contract/search.ts';

export const searchPath = '/search';

const count = (figure: string, results: number) => `${figure} ${results === 1 ? 'result' : 'results'}`;

/** The search page, the search box on every page, and the description for browsers. */
export const searchTexts = {
  title: 'Search',
  titleFor: (sought: string) => `“${sought}” – Search`,
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
  found: (figure: string, results: number, sought: string) => `${count(figure, results)} for “${sought}”`,
  foundSome: (sought: string) => `Nothing has all the words of “${sought}”. These have some of them:`,
  foundInstead: (sought: string, corrected: string) => `Nothing matches “${sought}”. Results for “${corrected}”:`,
  newestOf: (figure: string) => `The best of the newest ${figure} results. More words narrow them down.`,
  ends: (date: string) => `ends ${date}`,
  pagination: 'Pages of results',
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  none: {
    title: 'Nothing found',
    text: (sought: string) => `No poll, report, or article has “${sought}”. Check the spelling, or try other words.`,
  },
  noneOfKind: {
    text: 'Nothing of this type has these words.',
    action: 'Search everything',
  },
  start: 'Type a few words of a question, an answer, or a topic.',
  failed: {
    title: 'Search isn’t responding',
    text: 'This may take a minute. Please try again.',
    retry: 'Try again',
  },
  openSearch: (siteName: string) => `Polls and articles on ${siteName}`,
} as const;

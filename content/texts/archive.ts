import type { HistoricalSort, TopicKind } from '#contract/vocabulary.ts';

/** The archive of completed polls. */
export const archiveTexts = {
  title: 'Historical Polls',
  description: 'Every completed poll with its final result. Browse by category, date, or number of votes.',
  lede: 'Every question that has run its course, with the final count. Choose one to read the full report.',
  listHeading: (page: number) => (page === 1 ? 'Completed polls' : `Completed polls, page ${page}`),
  category: 'Category',
  allCategories: 'All Categories',
  unknownCategory: 'Unknown category',
  sort: 'Sort',
  sorts: {
    newest: 'Newest to Oldest',
    oldest: 'Oldest to Newest',
    'most-voted': 'Most Voted',
    'least-voted': 'Least Voted',
  } satisfies Record<HistoricalSort, string>,
  lists: 'Lists of completed polls',
  completed: 'Completed',
  origin: { imported: 'imported', both: 'in part imported', demo: 'demo' },
  position: (page: number, pages: number, total: string, polls: number) =>
    `Showing page ${page} of ${pages} (${total} total ${polls === 1 ? 'poll' : 'polls'})`,
  empty: {
    title: 'No Historical Polls',
    text: 'Historical polls will appear here once they are completed.',
  },
  showAll: 'Show all categories',
  pastTheEnd: {
    title: (page: number) => `There is no page ${page}`,
    text: (pages: number) => (pages === 1 ? 'The archive has one page.' : `The last page is page ${pages}.`),
    action: 'Go to the last page',
  },
  failed: {
    title: 'Failed to fetch historical polls',
    text: 'We can’t reach the archive right now.',
  },
  invalid: {
    title: 'We can’t show that list',
    text: 'The address asks for a page, sort order, or category we don’t have.',
    action: 'See all historical polls',
  },
} as const;

/** All series, each as a small chart. */
export const seriesListTexts = {
  title: 'Questions Asked Again',
  description: 'Polls that asked the same question several times, and how the answers moved.',
  lede: 'Polls that asked the same question several times. The colored line is the answer that led last; all charts are on one scale, from 0 to 100%.',
  none: 'No question has been asked twice yet.',
  link: 'Questions asked again',
  all: 'All series',
  chart: (name: string) => `Line chart: ${name}. The page of the series has all figures.`,
  moved: (option: string, isGain: boolean, points: string) =>
    `Largest change: “${option}” ${isGain ? 'up' : 'down'} ${points} points.`,
} as const;

/** Lists of completed polls by category, tag, series, or year. */
export const topicTexts = {
  title: {
    category: (name: string) => `${name}: completed polls`,
    tag: (name: string) => `Polls tagged “${name}”`,
    series: (name: string) => `${name}: the poll series`,
    year: (name: string) => `Polls completed in ${name}`,
  } satisfies Record<TopicKind, (name: string) => string>,
  heading: {
    category: (name: string) => name,
    tag: (name: string) => `#${name}`,
    series: (name: string) => name,
    year: (name: string) => name,
  } satisfies Record<TopicKind, (name: string) => string>,
  /** The sentence below the heading; `polls` is a count with its noun, such as “12 completed polls”. */
  lede: {
    category: (polls: string) => `${polls} in this category, newest first.`,
    tag: (polls: string) => `${polls} with this tag, newest first.`,
    series: (polls: string) => `The same question, asked again: ${polls} so far.`,
    year: (polls: string) => `${polls} in this year, newest first.`,
  } satisfies Record<TopicKind, (polls: string) => string>,
  polls: (count: number, formatted: string) => `${formatted} completed ${count === 1 ? 'poll' : 'polls'}`,
  description: (title: string, polls: string) => `${title}: ${polls} with their final results.`,
  list: (page: number) => (page === 1 ? 'Completed polls' : `Completed polls, page ${page}`),
  filter: 'Sort and filter',
  back: 'All historical polls',
} as const;

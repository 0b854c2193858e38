import type { Visibility } from '#contract/vocabulary.ts';

/** Lists of polls: filters, pages, and what assistive technology says. */
export const pollListTexts = {
  filters: 'Filter polls',
  apply: 'Apply',
  pagination: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: (page: number) => `Page ${page}`,
  listed: (count: number) => (count === 1 ? '1 poll listed' : `${count} polls listed`),
  loading: 'Loading polls',
} as const;

/** A community poll in a list. */
export const communityCardTexts = {
  visibility: { public: 'Public', unlisted: 'Unlisted', private: 'Private' } satisfies Record<Visibility, string>,
  phase: { upcoming: 'Not Started', open: 'Active', closed: 'Closed' },
  votes: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'}`,
  comments: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'comment' : 'comments'}`,
  by: (name: string) => `by ${name}`,
  starts: 'Starts',
  ends: 'Ends',
  voted: 'You voted',
} as const;

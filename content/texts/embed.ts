/** A poll embedded in someone else’s page. */
export const embedTexts = {
  title: (question: string, siteName: string) => `${question} · ${siteName}`,
  closed: 'Poll Closed',
  open: 'Open Poll',
  vote: 'Vote on this poll',
  report: 'Read the report',
  newPage: '(opens in a new tab)',
  answers: 'Answers to choose from',
  results: 'Results',
  votes: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'}`,
  more: (count: number) => (count === 1 ? '1 more answer in the report' : `${count} more answers in the report`),
  nobody: 'Nobody voted on this poll.',
  note: 'The voters chose themselves. The result speaks only for those who voted.',
  openNote: 'One vote each, no account needed. Results appear here once the poll closes.',
} as const;

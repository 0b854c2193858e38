/** The headline figures of the home page. */
export const statisticsTexts = {
  heroFigures: {
    votes: (count: number) => (count === 1 ? 'vote cast' : 'votes cast'),
    participants: (count: number) => (count === 1 ? 'participant' : 'participants'),
    polls: (count: number) => (count === 1 ? 'poll' : 'polls'),
  },
  heading: 'All polls combined',
  cards: {
    votes: { title: 'Total Votes', note: 'across all polls' },
    participants: {
      title: 'Total Participants',
      note: 'unique voters',
      noteWithImports: 'unique voters on this site; imported polls add votes only',
    },
    polls: { title: 'Total Polls', note: 'active and historical' },
  },
  withoutDemonstration: 'Demo polls and the votes on them don’t count toward these totals.',
  failed: 'Failed to fetch statistics',
  failedText: 'These figures are from the last time this page was published.',
} as const;

/** Words around the headline figures of the home page. */
export const statisticsTexts = {
  heroFigures: {
    votes: (count: number) => (count === 1 ? 'vote cast' : 'votes cast'),
    participants: (count: number) => (count === 1 ? 'participant' : 'participants'),
    polls: (count: number) => (count === 1 ? 'poll' : 'polls'),
  },
  heading: 'All polls together',
  cards: {
    votes: { title: 'Total Votes', note: 'across all polls' },
    participants: {
      title: 'Total Participants',
      note: 'unique voters',
      noteWithImports: 'unique voters on this site; imported polls bring votes only',
    },
    polls: { title: 'Total Polls', note: 'active and historical' },
  },
  withoutDemonstration: 'Votes on demonstration polls and the polls themselves count toward no total.',
  failed: 'Failed to fetch statistics',
  failedText: 'The figures are those of the last time this page was published.',
} as const;

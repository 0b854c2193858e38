/** Texts of decisions about recorded votes, for those who make them. */
export const decisionTexts = {
  noVotes: 'No counted votes match these criteria.',
  busy: 'Other votes on this poll are being set aside right now. Try again in a moment.',
  interrupted: 'Setting these votes aside was interrupted. They are still counted; please try again.',
  final: 'This poll ended more than 30 days ago: which of its votes are counted is final.',
  written: 'The creator of the poll reviews answers that voters wrote.',
  decided: {
    held: 'These votes are held.',
    'set-aside': 'These votes have been set aside.',
    released: 'These votes are counted after all.',
    expired: 'Nobody decided in time: these votes are counted after all.',
  },
} as const;

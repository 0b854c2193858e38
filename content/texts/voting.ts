/** Voting on any poll. */
export const ballotTexts = {
  choiceKept: 'Your choice is still selected.',
  /** While the browser solves a challenge. */
  checking: 'Checking your browser…',
  counting: 'The results are on their way.',
  announcePart: (text: string, percent: string) => `${text}: ${percent}`,
} as const;

/** The page that shows a poll on a screen in a room. */
export const screenTexts = {
  title: 'On a screen',
  scan: 'Scan to vote',
  /** The name of the QR code. */
  code: 'QR code that opens the poll',
  or: 'or open',
  votes: (count: number) => (count === 1 ? 'vote' : 'votes'),
  voters: (count: number) => (count === 1 ? 'voter' : 'voters'),
  answers: 'Answers',
  results: 'Results',
  firstChoices: 'Percentages are of first choices. How the rest counts is on the poll’s page.',
  show: 'Show results',
  hide: 'Hide results',
  fullScreen: 'Full screen',
  leave: 'Leave full screen',
  back: 'Back to the poll',
  upcoming: 'Voting has not started yet.',
  closed: 'Voting has ended.',
  stale: 'No connection: these numbers are not the newest. Trying again…',
  noScript:
    'This page shows votes as they come in, and needs JavaScript for that. Please turn it on, and reload the page.',
  signIn: {
    title: 'Sign in first',
    text: 'Only the creator of a poll, or an operator of this site for its weekly polls, can show it on a screen.',
    link: 'Sign in',
  },
} as const;

/** Voting in another site’s page; a file of its own, because the script there loads it. */
export const embeddedBallotTexts = {
  answers: 'Answers to choose from',
  results: 'Results',
  cast: 'Vote',
  note: 'One vote per browser, no account needed. Votes from this site are counted apart.',
  voted: 'Your vote is recorded:',
  receipt: 'Copy your receipt to find your vote in the list that we publish when the poll has closed:',
  failed: 'Your vote was not recorded. Please try again.',
  elsewhere: 'Your vote can’t be recorded here. Choose an answer to vote on the poll’s own page.',
} as const;

/** Why an answer that somebody wrote can’t be taken, or not be reviewed like that. */
export const writeInErrors = {
  notTaken: 'This poll takes no other answers. Choose one of the options.',
  exists: (option: string) => `“${option}” is among the options. Choose it there.`,
  merged: (option: string) => `The poll’s creator counts this answer as “${option}”. Choose that option.`,
  rejected: 'The poll’s creator didn’t accept this answer. Choose one of the options, or write another answer.',
  tooManyWaiting:
    'Several answers wait for the poll’s creator, and no other can be added until then. Choose an option, or come back later.',
  full: 'This poll has as many answers as it can have. Choose one of the options.',
  noMoreOptions: 'The poll has as many options as it can have. Merge the answer with one of them, or reject it.',
  reviewed: 'This answer was reviewed in the meantime.',
} as const;

/** What voters read about answers that voters write. */
export const writtenTexts = {
  other: 'Another answer',
  text: 'Your answer',
  hint: 'The poll’s creator reviews it. Until then nobody else sees it, and your vote doesn’t count.',
  /** What became of the answer of this voter. */
  own: {
    waiting: 'The poll’s creator reviews your answer. Your vote counts once it is accepted.',
    merged: 'The poll’s creator counts the answer that you wrote as this option.',
    rejected: 'The poll’s creator didn’t accept the answer that you wrote: your vote is set aside.',
  },
  /** For those who voted before. */
  missed: (options: readonly string[]) =>
    `Added after your vote: ${options.map((text) => `“${text}”`).join(', ')}. You could not choose ${options.length === 1 ? 'it' : 'them'}.`,
  added: (option: string, moment: string) => `A voter wrote “${option}”, which could be chosen from ${moment}.`,
} as const;

/** What the creator reads. */
export const reviewTexts = {
  heading: 'Answers to review',
  note: 'Voters wrote these. Only you see them, and their votes don’t count until you decide. What nobody reviews within a week after the end is set aside.',
  votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote waits` : `${formatted} votes wait`),
  actions: { approve: 'Add', merge: 'Merge', reject: 'Reject' },
  labels: {
    approve: (answer: string) => `Add “${answer}” as an option`,
    merge: (answer: string) => `Merge “${answer}” with an option`,
    reject: (answer: string) => `Reject “${answer}”`,
  },
  titles: { approve: 'Add this answer?', merge: 'Merge this answer with an option?', reject: 'Reject this answer?' },
  texts: {
    approve: 'It becomes an option that everyone sees and can choose, with the votes that wait. This can’t be undone.',
    merge:
      'The votes that wait count for that option, and their voters read which. The text stays private. This can’t be undone.',
    reject:
      'The votes that wait are set aside, and their voters read that. The text stays private. This can’t be undone.',
  },
  confirm: { approve: 'Add it', merge: 'Merge it', reject: 'Reject it' },
  done: { approve: 'Option added', merge: 'Answer merged', reject: 'Answer rejected' },
  into: 'Merge with',
  pending: 'One moment…',
  cancel: 'Cancel',
  failed: 'We couldn’t do that. Please try again.',
} as const;

/** The setting in the creator’s forms. */
export const writeInSettingTexts = {
  label: 'Voters may write another answer, which you review',
  hint: 'Until you decide, their text stays private and their votes don’t count. Once somebody has voted, this can’t be changed.',
  onlySingle: 'Only where voters choose one option: a vote has to wait for your review as a whole.',
} as const;

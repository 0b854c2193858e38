/** Why an answer that somebody wrote can’t be taken, or not be reviewed like that. */
export const writeInErrors = {
  notTaken: 'This poll takes no other answers. Choose one of the options.',
  exists: (option: string) => `“${option}” is among the options. Choose it there.`,
  merged: (option: string) => `The poll’s creator counts this answer as “${option}”. Choose that option.`,
  rejected: 'The poll’s creator didn’t accept this answer. Choose one of the options, or write another answer.',
  tooManyWaiting:
    'Several answers wait for the poll’s creator, and no other can be added until then. Choose an option, or come back later.',
  full: 'This poll has as many answers as it can have. Choose one of the options.',
  noMoreOptions: 'The poll has as many options as it can have. Count the answer under one of them, or reject it.',
  reviewed: 'This answer was reviewed in the meantime.',
} as const;

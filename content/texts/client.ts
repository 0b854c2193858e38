/** Network problems, for all features. */
export const clientTexts = {
  retry: 'Try again',
  offline: 'You’re offline.',
  noAnswer: 'The server didn’t respond.',
} as const;

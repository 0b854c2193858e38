/** Words for what can go wrong between a page and the service, whatever the feature. */
export const clientTexts = {
  retry: 'Try again',
  offline: 'You’re offline.',
  noAnswer: 'The server didn’t respond.',
} as const;

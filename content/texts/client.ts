/** Words for what can go wrong between a page and the service, whatever the feature. */
export const clientTexts = {
  retry: 'Try again',
  offline: 'You are offline.',
  noAnswer: 'The server did not answer.',
} as const;

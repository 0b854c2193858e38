/** Words for what can go wrong between a page and the service, whatever the feature. */
export const clientTexts = {
  retry: 'Try again',
  unreachable: 'The voting service cannot be reached right now. Your choice is kept; please try again in a moment.',
} as const;

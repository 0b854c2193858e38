/** Words about the polls that come with the software. */
export const demonstrationTexts = {
  buildReason: 'demo polls were removed',
} as const;

/** Words about the polls that come with the software. */
export const demonstrationTexts = {
  buildReason: 'demonstration polls were removed',
} as const;

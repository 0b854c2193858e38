/** The receipt on the card of a poll that was voted on. */
export const receiptNoteTexts = {
  label: 'Receipt',
} as const;

/** What everyone who gets a receipt is told. */
export const receiptWarning = 'A receipt proves how you voted to anyone you show it to.';

/** The receipt on the card of a poll that was voted on. */
export const receiptNoteTexts = {
  label: 'Receipt',
} as const;

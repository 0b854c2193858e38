/** A text that somebody wrote, of which only the beginning is visible. */
export const writtenTextTexts = {
  more: (lines: number) => `${lines.toLocaleString('en-US')} more lines`,
  less: 'Show less',
} as const;

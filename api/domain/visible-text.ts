// White space, controls, and default-ignorable code points (zero-width characters, joiners, variation selectors, fillers,
// tags); then characters that are blank without that property: annotation marks, the empty Braille cell, the null
// notehead, Egyptian format marks and blanks.
const invisible =
  /^(?:[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}\u{13430}-\u{1343f}\u{13441}\u{13442}])*$/u;

/**
 * Trims a text; a text without visible characters becomes empty. Joiners and variation selectors beside visible characters
 * stay: emoji, Arabic, and Indic scripts need them.
 */
export function trimText(text: string): string {
  return isBlank(text) ? '' : text.trim();
}

/** Whether sanitized HTML has neither images nor visible text. */
export function isBlankHtml(html: string): boolean {
  return !/<img\b/i.test(html) && isBlank(html.replace(/<[^<>]*>/g, ''));
}

/** Whether a text has no visible characters. */
export function isBlank(text: string): boolean {
  return invisible.test(text);
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates a right-to-left text, so that it doesn’t reorder the figures beside it. */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** A text as it is typed or pasted into a field of one line. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

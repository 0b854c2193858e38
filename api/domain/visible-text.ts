// White space, controls, and what Unicode tells fonts to draw as nothing (zero-width characters, joiners, variation
// selectors, fillers, tags); then what is blank without Unicode saying so: annotation marks, an empty Braille cell, a
// null notehead, Egyptian format marks and blanks.
const invisible =
  /^(?:[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}\u{13430}-\u{1343f}\u{13441}\u{13442}])*$/u;

/**
 * A text as it is kept: without white space at its ends, and empty when nothing of it can be seen. Joiners and variation
 * selectors beside visible characters stay: emoji, Arabic script, and scripts of India need them.
 */
export function trimText(text: string): string {
  return isBlank(text) ? '' : text.trim();
}

/** Whether a reader of this HTML would see nothing: no picture, and no text. It has been made safe, so it has few entities. */
export function isBlankHtml(html: string): boolean {
  return !/<img\b/i.test(html) && isBlank(html.replace(/<[^>]*>/g, ''));
}

/** Whether a reader would see nothing. */
export function isBlank(text: string): boolean {
  return invisible.test(text);
}

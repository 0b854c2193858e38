// Default-ignorable code points (zero-width characters, joiners, variation selectors, fillers, tags); then characters that
// take no space without that property: annotation marks, Egyptian format marks.
const hidden = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}`;
// Characters as blank as white space: the empty Braille cell, the null notehead, Egyptian blanks.
const blankMarks = String.raw`\u2800\u{1d159}\u{13441}\u{13442}`;
const blank = String.raw`\s${blankMarks}`;

const invisible = new RegExp(String.raw`^[${hidden}${blank}\p{Cc}]*$`, 'u');
// The flags of England, Scotland, and Wales differ only in tags.
const hiddenParts = new RegExp(
  String.raw`(\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073}))|[${hidden}]|(?!\s)\p{Cc}`,
  'gu',
);
const blankParts = new RegExp(`[${blank}]+`, 'gu');
const hiddenInNames = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}${hidden}${blankMarks}]`, 'u');

// Joiners shape letters in Arabic and in scripts with marks of their own, and join emoji; a selector makes a character one.
const shaping =
  /(?<=\p{Script=Arabic}|(?!\p{Script=Inherited})\p{M})[\u200c\u200d](?=\p{L})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu;

/** Whether a name has characters that nobody sees, or that change its direction, where its script doesn’t need them. */
export function hasHiddenCharacters(name: string): boolean {
  return hiddenInNames.test(name.replace(shaping, ''));
}

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

/** What can be seen of a text: without hidden characters, and with single spaces. */
export function visibleText(text: string): string {
  return text.replace(hiddenParts, '$1').replace(blankParts, ' ').trim();
}

// Browsers break a preformatted line at each of these.
const breaks = String.raw`\n\v\f\r\x85\u2028\u2029`;
const brokenParts = new RegExp(`[${breaks}](?:[${hidden}${blank}]*[${breaks}])?`, 'gu');
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
/** From how many lines on a text is folded, and how many stay visible. */
const [mostLines, visibleLines] = [15, 10];

/** A text of somebody’s own lines for a page on which others write, too: no more than its share is visible at once. */
export interface FoldedText {
  readonly shown: string;
  /** The lines that are folded; empty if none are. */
  readonly rest: readonly string[];
}

/** A text with at most one empty line in a row, and the lines that would make it very tall apart. */
export function foldedText(text: string): FoldedText {
  const parts = text.replace(brokenParts, (part) => (part.split(lineBreak).length > 3 ? '\n\n' : part));
  const lines = parts.split(lineBreak);
  if (lines.length <= mostLines) return { shown: parts, rest: [] };
  return { shown: lines.slice(0, visibleLines).join('\n'), rest: lines.slice(visibleLines) };
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Isolates a right-to-left text, so that it doesn’t reorder the figures beside it. */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** A text as it is typed or pasted into a field of one line. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

import type { PollTexts } from '#contract/managed-poll.ts';
import { allCategories } from '#contract/vocabulary.ts';
import type { Finding } from '#texts/field-errors.ts';
import { trimText } from './visible-text.ts';

// What neither PostgreSQL (NUL) nor XML, and so no feed, can carry; line ends and tabs are fine.
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Whether a poll's text can be kept and carried everywhere. */
export function isStorablePollText(text: string): boolean {
  return !unstorable.test(text) && text.isWellFormed();
}

/** Levels of a body that have texts: the poll, its lists, the options in one. */
const levels = 3;

/** Texts as they are kept: trimmed, lines ending in LF. Other shapes stay as they are. */
export function tidyPollTexts(sent: unknown, level = 0): unknown {
  if (typeof sent === 'string') return trimText(sent).replace(/\r\n?/g, '\n');
  // Deeper is nothing of ours, and without an end to it the stack would be the end.
  if (typeof sent !== 'object' || sent === null || level === levels) return sent;
  if (Array.isArray(sent)) return sent.map((entry) => tidyPollTexts(entry, level + 1)).filter((entry) => entry !== '');
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, name === 'id' ? value : tidyPollTexts(value, level + 1)]),
  );
}

/** What the schema of new texts cannot say: nothing is impossible to keep, and the category is not the archive's own word. */
export function pollTextsFindings(texts: PollTexts): Finding[] {
  const { options = [], tags = [], ...plain } = texts;
  const all: (readonly [path: string, text: string | null])[] = [
    ...Object.entries(plain).map(([name, text]) => [`/${name}`, text] as const),
    ...tags.map((tag, place) => [`/tags/${place}`, tag] as const),
    ...options.map(({ text }, place) => [`/options/${place}/text`, text] as const),
  ];
  const findings: Finding[] = all
    .filter(([, text]) => text !== null && !isStorablePollText(text))
    .map(([instancePath]) => ({ keyword: 'storable', instancePath, params: {} }));
  if (texts.category?.toLowerCase() === allCategories)
    findings.push({ keyword: 'reserved', instancePath: '/category', params: {} });
  return findings;
}

import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { trimText } from './visible-text.ts';

/** What no database or reader can carry everywhere: NUL, and halves of surrogate pairs. */
const unstorable = /[\0\p{Surrogate}]/u;

/** A new comment as it is checked and kept. What is not of its shape stays as it is. */
export function tidyComment(sent: unknown): unknown {
  return typeof sent === 'object' && sent !== null && 'content' in sent && typeof sent.content === 'string'
    ? { ...sent, content: trimText(sent.content) }
    : sent;
}

/** Characters of a comment as its limit counts them: code points, the same on every server and in every browser. */
export function commentLength(content: string): number {
  return Array.from(content).length;
}

/** What is wrong with a trimmed comment, as a sentence for its field; nothing when it may be posted. */
export function commentErrors(content: string): FieldError[] {
  const length = commentLength(content);
  if (length === 0) return refused('content', 'minLength');
  if (length > limits.commentLength) return refused('content', 'maxLength');
  return storableErrors('content', content);
}

/** Refuses a text that could not be kept as it is. */
export function storableErrors(field: string, text: string): FieldError[] {
  return isStorable(text) ? [] : refused(field, 'storable');
}

/** Whether a text can be kept as it is. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

function refused(field: string, keyword: string): FieldError[] {
  return fieldErrors([{ instancePath: `/${field}`, keyword, params: {} }]);
}

/** A piece of a comment: plain text, or an address of the web with the text that stood for it. */
export type CommentPart =
  { readonly text: string; readonly href?: undefined } | { readonly text: string; readonly href: string };

// An address ends at white space, at what never stands in one, and at characters that are not seen: they could hide
// where it leads.
const address = /https?:\/\/[^\p{Z}\p{C}<>"`{}|\\^“”„«»、。，；：！？「」『』【】（）]+/giu;
/** Marks that belong to the sentence and not to the address when they stand at its end. */
const sentenceMark = /[.,;:!?'*_~…’]/;

/**
 * Splits a comment into text and links, in order; together they are the comment again. Only http and https are
 * links, and none that names a user before the host, which would show another host than it opens. Takes time in
 * proportion to the length, whatever is written.
 */
export function linkParts(content: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let done = 0;
  for (const { 0: found, index } of content.matchAll(address)) {
    const text = withoutSentence(found);
    const href = /\w/.test(content.charAt(index - 1)) ? null : hrefOf(text);
    if (href === null) continue;
    if (index > done) parts.push({ text: content.slice(done, index) });
    parts.push({ text, href });
    done = index + text.length;
  }
  if (done < content.length) parts.push({ text: content.slice(done) });
  return parts;
}

/** An address without the marks of the sentence around it, and without closing brackets that it did not open. */
function withoutSentence(found: string): string {
  const count = { '(': 0, ')': 0, '[': 0, ']': 0 };
  for (const mark of found) if (mark in count) count[mark as keyof typeof count]++;
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (count[last]-- <= count[last === ')' ? '(' : '[']) break;
    } else if (!sentenceMark.test(last)) break;
  }
  return found.slice(0, end);
}

function hrefOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' ? href : null;
}

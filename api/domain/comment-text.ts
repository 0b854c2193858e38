import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { usernameKeys } from './account-rules.ts';
import { trimText } from './visible-text.ts';

/** Characters that PostgreSQL or UTF-8 can't store: NUL and unpaired surrogates. */
const unstorable = /[\0\p{Surrogate}]/u;

/** Trims the content of a new comment before validation; returns other shapes unchanged. */
export function normalizeComment(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'content' in body && typeof body.content === 'string'
    ? { ...body, content: trimText(body.content) }
    : body;
}

/** The length that the comment limit counts: code points, the same on server and in browsers. */
export function commentLength(content: string): number {
  return Array.from(content).length;
}

/** Validates a trimmed comment; empty when it can be posted. */
export function commentErrors(content: string): FieldError[] {
  const length = commentLength(content);
  if (length === 0) return refused('content', 'minLength');
  if (length > limits.commentLength) return refused('content', 'maxLength');
  return storableErrors('content', content);
}

/** The error for a text that can't be stored unchanged. */
export function storableErrors(field: string, text: string): FieldError[] {
  return isStorable(text) ? [] : refused(field, 'storable');
}

/** Whether a text can be stored unchanged. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

// A URL ends at white space, at characters that URLs don’t contain, and at invisible characters, which could hide its
// target.
const inUrl = String.raw`[^\p{Z}\p{C}<>"\x60{}|\\^“”„«»、。，；：！？「」『』【】（）]`;
/** Any address, also without a scheme. */
const addressPattern = new RegExp(
  String.raw`(?:[a-z][a-z\d+.\-]*://|www\.|(?:[\w\-]+\.)+[\w\-]+[/?#])${inUrl}*`,
  'giu',
);
// A handle that follows a word or a dot is part of an address, and one before @ or a host is of another server.
const mentionPattern = /(?<![\w.@/=&?#-])@([\w.-]+)(?![\w.-]|@|:[\w-]+\.)/g;

/** The keys of the usernames that a comment mentions as “@name,” likeliest first. */
export function mentionsIn(content: string): string[][] {
  return [...content.replace(addressPattern, ' ').matchAll(mentionPattern)]
    .map(([, name]) =>
      usernameKeys(name!).filter(({ length }) => length >= limits.usernameMin && length <= limits.usernameMax),
    )
    .filter((keys) => keys.length > 0)
    .slice(0, limits.commentMentions);
}

/** The beginning of a username or name that is being typed after an @ before the caret; undefined if none is. */
export function mentionBefore(text: string): string | undefined {
  return /(?<![\w.@/=&?#-])@([\p{L}\p{M}\w.-]*)$/u.exec(text)?.[1];
}

function refused(field: string, keyword: string): FieldError[] {
  return fieldErrors([{ instancePath: `/${field}`, keyword, params: {} }]);
}

/** A part of a comment: plain text, or a link with its text. */
type CommentPart =
  { readonly text: string; readonly href?: undefined } | { readonly text: string; readonly href: string };

const urlPattern = new RegExp(`https?://${inUrl}+`, 'giu');
/** Punctuation that belongs to the sentence, not to the URL, when it is at its end. */
const punctuation = /[.,;:!?'*_~…’]/;

/**
 * Splits a comment into text and links; joined, the parts are the comment again. Only http and https URLs are links, and
 * none with a user name before the host, which would look like another host. Takes linear time for any input.
 */
export function linkParts(content: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let done = 0;
  for (const { 0: found, index } of content.matchAll(urlPattern)) {
    const text = withoutPunctuation(found);
    const href = /\w/.test(content.charAt(index - 1)) ? null : hrefOf(text);
    if (href === null) continue;
    if (index > done) parts.push({ text: content.slice(done, index) });
    parts.push({ text, href });
    done = index + text.length;
  }
  if (done < content.length) parts.push({ text: content.slice(done) });
  return parts;
}

/** A URL without the punctuation of its sentence and without unmatched closing brackets. */
function withoutPunctuation(found: string): string {
  const count = { '(': 0, ')': 0, '[': 0, ']': 0 };
  for (const mark of found) if (mark in count) count[mark as keyof typeof count]++;
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (count[last]-- <= count[last === ')' ? '(' : '[']) break;
    } else if (!punctuation.test(last)) break;
  }
  return found.slice(0, end);
}

function hrefOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' ? href : null;
}

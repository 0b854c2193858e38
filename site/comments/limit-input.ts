import * as limits from '#contract/limits.ts';
import { commentLength } from '#domain/comment-text.ts';

/** A text and where the caret stands in it, in UTF-16 units. */
export interface Written {
  readonly text: string;
  readonly caret: number;
}

/**
 * What a field that takes so many characters keeps: of what was just put in before the caret, only as much as there is
 * room for. `maxlength` would count otherwise than the limit does, and take half as many emoji.
 */
export function limitInput({ text, caret }: Written, before: string): Written {
  const most = Math.max(limits.commentLength, commentLength(before));
  const over = commentLength(text) - most;
  if (over <= 0) return { text, caret };
  const head = Array.from(text.slice(0, caret));
  const kept = head.slice(0, Math.max(0, head.length - over)).join('');
  return { text: kept + text.slice(caret), caret: kept.length };
}

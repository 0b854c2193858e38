import type { Comment } from '#api/comments/comments.contract.ts';
import { newIdempotencyKey } from '#site/client/idempotency-key.ts';

/** An unposted comment, kept in the tab so that signing in or reloading loses nothing. */
interface CommentDraft {
  readonly text: string;
  /** The Idempotency-Key of the comment. */
  readonly key: string;
}

/** Names of drafts: of a comment on a poll, of a reply to a comment, and of its new text. */
export const draftOn = {
  poll: (pollId: string) => pollId,
  reply: (pollId: string, commentId: string) => `${pollId}-reply-${commentId}`,
  edit: (pollId: string, commentId: string) => `${pollId}-edit-${commentId}`,
} as const;

const textAt = (draft: string) => `weathervane-comment-${draft}`;
const keyAt = (draft: string) => `weathervane-comment-${draft}-key`;

/** A stored draft by name; a blank one if none is stored or storage is blocked. */
export function readDraft(draft: string): CommentDraft {
  try {
    const text = sessionStorage.getItem(textAt(draft)) ?? '';
    return { text, key: sessionStorage.getItem(keyAt(draft)) ?? newIdempotencyKey() };
  } catch {
    return { text: '', key: newIdempotencyKey() };
  }
}

/** Stores a draft; a blank one is deleted. */
export function saveDraft(draft: string, { text, key }: CommentDraft): void {
  try {
    if (text === '') {
      sessionStorage.removeItem(textAt(draft));
      sessionStorage.removeItem(keyAt(draft));
    } else {
      sessionStorage.setItem(textAt(draft), text);
      sessionStorage.setItem(keyAt(draft), key);
    }
  } catch {
    // Full or blocked storage: the draft lives as long as the page.
  }
}

/** Whether this tab has unposted texts for a poll or for one of these comments and their replies. */
export function hasDrafts(pollId: string, comments: readonly Comment[]): boolean {
  const all = comments.flatMap((comment) => [comment, ...(comment.replies ?? [])]);
  const names = all.flatMap(({ id }) => [draftOn.reply(pollId, id), draftOn.edit(pollId, id)]);
  return [draftOn.poll(pollId), ...names].some((name) => readDraft(name).text !== '');
}

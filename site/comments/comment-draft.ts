import { newIdempotencyKey } from '#site/client/idempotency-key.ts';

/** What somebody is writing, kept for the tab, so that signing in or a closed page loses nothing. */
export interface CommentDraft {
  readonly text: string;
  /** The Idempotency-Key of the comment that this becomes. */
  readonly key: string;
}

const textAt = (pollId: string) => `weathervane-comment-${pollId}`;
const keyAt = (pollId: string) => `weathervane-comment-${pollId}-key`;

/** The draft for one poll; a new one without text where none is kept, and where storage is blocked. */
export function readDraft(pollId: string): CommentDraft {
  try {
    const text = sessionStorage.getItem(textAt(pollId)) ?? '';
    return { text, key: sessionStorage.getItem(keyAt(pollId)) ?? newIdempotencyKey() };
  } catch {
    return { text: '', key: newIdempotencyKey() };
  }
}

export function saveDraft(pollId: string, { text, key }: CommentDraft): void {
  try {
    if (text === '') {
      sessionStorage.removeItem(textAt(pollId));
      sessionStorage.removeItem(keyAt(pollId));
    } else {
      sessionStorage.setItem(textAt(pollId), text);
      sessionStorage.setItem(keyAt(pollId), key);
    }
  } catch {
    // Full or blocked storage: the draft lives as long as the page.
  }
}

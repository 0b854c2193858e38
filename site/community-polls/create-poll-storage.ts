import { newIdempotencyKey } from '#site/client/idempotency-key.ts';
import type { Draft } from './create-poll-draft.ts';

const storageKey = 'weathervane-community-draft';

/** What a repeated request must have in common with the first one. */
export interface DraftRequest {
  readonly key: string;
  /** When the draft was first sent, in milliseconds: the start of a poll for which none is chosen. */
  readonly sentAt: number | null;
}

export const newDraftRequest = (): DraftRequest => ({ key: newIdempotencyKey(), sentAt: null });

interface Stored {
  /** Whose draft it is: another member who signs in in the same tab must not meet it. */
  readonly userId: string;
  /** The form was open. */
  readonly open: boolean;
  readonly draft: Draft | null;
  /** Made with the draft; undefined in drafts of an earlier version of this page. */
  readonly request?: DraftRequest;
}

/** Where storage is full or blocked, the draft lives as long as the page. */
let remembered: Stored | null = null;

/** What a member has written in this tab and not yet made a poll of; null when there is nothing. */
export function storedDraft(userId: string): Stored | null {
  let found = remembered;
  try {
    found ??= JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Stored | null;
  } catch {
    // Blocked, or not ours.
  }
  return found?.userId === userId ? found : null;
}

/** Keeps what a member writes, through reloads and the way to the sign-in and back. */
export function storeDraft(stored: Stored): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(stored));
    remembered = null;
  } catch {
    remembered = stored;
  }
}

/** The poll is made, or there is nothing worth keeping. */
export function dropDraft(): void {
  remembered = null;
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Blocked storage has nothing to remove.
  }
}

import { newIdempotencyKey } from '#site/client/idempotency-key.ts';
import type { PollProtection, ResultVisibility, Visibility } from '#contract/vocabulary.ts';
import type { EditedOption } from '#domain/pasted-options.ts';

export type DraftOption = EditedOption<number>;

/** The contents of the form. */
export interface Draft {
  readonly question: string;
  readonly description: string;
  readonly visibility: Visibility;
  /** Left out: after voting, or of a private poll after the end. */
  readonly resultVisibility?: ResultVisibility;
  /** Empty for none. */
  readonly category: string;
  readonly options: readonly DraftOption[];
  /** Value of a date field in local time, such as 2026-11-20T18:30; empty for now. */
  readonly startsAt: string;
  /** Likewise; empty for no end. */
  readonly endsAt: string;
  /** Of a public poll; left out: yes. */
  readonly publishBallots?: boolean;
  /** Of a poll that is not private; left out: any browser. */
  readonly protection?: PollProtection;
}

const storageKey = 'weathervane-community-draft';

/** What a retried request must share with the first one. */
export interface DraftRequest {
  readonly key: string;
  /** When the draft was first submitted, in milliseconds: the start of a poll if none is chosen. */
  readonly sentAt: number | null;
}

export const newDraftRequest = (): DraftRequest => ({ key: newIdempotencyKey(), sentAt: null });

interface Stored {
  /** The draft’s author: another member signing in in the same tab must not see it. */
  readonly userId: string;
  readonly draft: Draft | null;
  /** Undefined in drafts stored by an earlier version of this page. */
  readonly request?: DraftRequest;
}

/** Used when storage is full or blocked: the draft then lasts as long as the page. */
let fallback: Stored | null = null;

/** A member’s unsubmitted draft in this tab; null if there is none. */
export function storedDraft(userId: string): Stored | null {
  let found = fallback;
  try {
    found ??= JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Stored | null;
  } catch {
    // Storage is blocked, or the value is invalid.
  }
  return found?.userId === userId ? found : null;
}

/** Stores a draft, which survives reloads and signing in. */
export function storeDraft(stored: Stored): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(stored));
    fallback = null;
  } catch {
    fallback = stored;
  }
}

/** Deletes the draft. */
export function dropDraft(): void {
  fallback = null;
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Blocked storage has nothing to remove.
  }
}

import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { storedChanges } from '#site/client/stored-changes.ts';
import { storageKey, storedEntries } from './receipts.ts';
import type { StoredEntry, StoredReceipt } from './receipts.ts';

const changes = storedChanges(storageKey);

function store(entries: readonly StoredEntry[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(entries));
  } catch {
    // Storage is full or blocked: the vote counts all the same.
  }
  changes.report();
}

/** A poll that was voted on. */
type VotedPoll = Pick<CommunityPoll, 'id' | 'question'> & {
  readonly options: readonly { readonly id: string; readonly text: string }[];
};

/**
 * What this browser contributes to the receipt of its vote: drawn once and stored, so that a repeated vote is recognized by
 * it whose answer was lost.
 */
export function nonceOf(poll: string): string {
  const entries = storedEntries();
  const pending = entries.find((entry) => entry.poll === poll && entry.receipt === undefined)?.nonce;
  if (pending !== undefined) return pending;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  store([...entries, { poll, nonce }]);
  return nonce;
}

/** What the answer to a vote says about it. */
export type GivenReceipt = Pick<StoredReceipt, 'receipt'> & { readonly promise?: StoredReceipt['promise'] | null };

/**
 * Stores the receipt of a vote. A retry gets the same receipt, which replaces the stored one. `nonce` is what this browser
 * drew, if the vote was recorded with it.
 */
export function rememberReceipt(
  poll: VotedPoll,
  optionId: string,
  { receipt, promise }: GivenReceipt,
  path: string,
  nonce?: string,
): void {
  const option = poll.options.find(({ id }) => id === optionId)?.text ?? '';
  const day = new Date().toISOString().slice(0, 10);
  const earlier = storedEntries();
  const same = earlier.find((other) => other.receipt === receipt);
  const own = nonce ?? same?.nonce;
  const entry = {
    ...{ poll: poll.id, question: poll.question, receipt, optionId, option, day: same?.day ?? day, path },
    ...(own !== undefined && { nonce: own }),
    ...(promise && { promise }),
  };
  store([entry, ...earlier.filter((other) => other.poll !== poll.id)]);
}

/** Forgets the receipt of one poll on this device. */
export const forgetReceipt = (poll: string): void => store(storedEntries().filter((other) => other.poll !== poll));

export const forgetAllReceipts = (): void => store([]);

/** Calls `onChange` when receipts change, in this tab or another; returns a function that stops it. */
export const watchReceipts = changes.watch;

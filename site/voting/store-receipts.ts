import type { CommunityPoll } from '#contract/community-poll.ts';
import { storedChanges } from '#site/client/stored-changes.ts';
import { receiptsOnDevice, storageKey } from './receipts.ts';
import type { StoredReceipt } from './receipts.ts';

const changes = storedChanges(storageKey);

function store(receipts: readonly StoredReceipt[]): void {
  try {
    if (receipts.length === 0) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(receipts));
  } catch {
    // Storage is full or blocked: the vote counts all the same.
  }
  changes.report();
}

/** A poll that was voted on. */
type VotedPoll = Pick<CommunityPoll, 'id' | 'question'> & {
  readonly options: readonly { readonly id: string; readonly text: string }[];
};

/** Stores the receipt of a vote. A retry gets the same receipt, which replaces the stored one. */
export function rememberReceipt(poll: VotedPoll, optionId: string, receipt: string, path: string): void {
  const option = poll.options.find(({ id }) => id === optionId)?.text ?? '';
  const day = new Date().toISOString().slice(0, 10);
  const earlier = receiptsOnDevice();
  const same = earlier.find((other) => other.receipt === receipt);
  const entry = { poll: poll.id, question: poll.question, receipt, optionId, option, day: same?.day ?? day, path };
  store([entry, ...earlier.filter((other) => other.poll !== poll.id)]);
}

/** Forgets the receipt of one poll on this device. */
export const forgetReceipt = (poll: string): void => store(receiptsOnDevice().filter((other) => other.poll !== poll));

export const forgetAllReceipts = (): void => store([]);

/** Calls `onChange` when receipts change, in this tab or another; returns a function that stops it. */
export const watchReceipts = changes.watch;

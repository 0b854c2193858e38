import type { CommunityPoll } from '#contract/community-poll.ts';
import { storedChanges } from '#site/client/stored-changes.ts';

const storageKey = 'weathervane-receipts';
const changes = storedChanges(storageKey);

/** A vote that was cast in this browser. It stays here: never in a URL, a log, or a request. */
export interface StoredReceipt {
  /** Id of the poll. */
  readonly poll: string;
  readonly question: string;
  /** 28 characters in groups of four. */
  readonly receipt: string;
  readonly optionId: string;
  readonly option: string;
  /** Such as 2026-11-22, in UTC. */
  readonly day: string;
  /** Path of the poll’s page. */
  readonly path: string;
}

const fields = ['poll', 'question', 'receipt', 'optionId', 'option', 'day', 'path'] as const;
const isReceipt = (value: unknown): value is StoredReceipt =>
  typeof value === 'object' &&
  value !== null &&
  fields.every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

/** The stored text, which is a stable snapshot of all receipts; null without storage. */
function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(receipts: readonly StoredReceipt[]): void {
  try {
    if (receipts.length === 0) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(receipts));
  } catch {
    // Storage is full or blocked: the vote counts all the same.
  }
  changes.report();
}

/** The receipts on this device, newest first. */
export function receiptsOnDevice(): readonly StoredReceipt[] {
  try {
    const receipts: unknown = JSON.parse(stored() ?? '[]');
    return Array.isArray(receipts) ? receipts.filter(isReceipt) : [];
  } catch {
    return [];
  }
}

/** The receipt of a poll on this device, 28 characters in groups of four; null if there is none. */
export const receiptOf = (poll: string): string | null =>
  receiptsOnDevice().find((receipt) => receipt.poll === poll)?.receipt ?? null;

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

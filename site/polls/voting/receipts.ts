import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { VotePromise } from '#domain/verification/promise.ts';
import { storedChanges } from '#site/client/stored-changes.ts';

/** Where the receipts are in local storage. */
export const storageKey = 'weathervane-receipts';

/** A vote that was cast in this browser. It stays here: never in a URL, a log, or a request. */
export interface StoredReceipt {
  /** Id of the poll. */
  readonly poll: string;
  readonly question: string;
  /** 28 characters in groups of four. */
  readonly receipt: string;
  readonly optionId: string;
  /** The other options of a vote for several ones. */
  readonly further?: readonly string[];
  /** The texts of all of them, with commas between. */
  readonly option: string;
  /** Such as 2026-11-22, in UTC. */
  readonly day: string;
  /** Path of the poll’s page. */
  readonly path: string;
  /** What this browser drew for its vote; missing if it doesn’t know, as after a vote from another device of the account. */
  readonly nonce?: string;
  /** What the site promised; missing for votes of earlier releases. */
  readonly promise?: VotePromise;
}

/** An entry in storage: a receipt, or the poll and nonce of a vote that has not been answered yet. */
export type StoredEntry = Pick<StoredReceipt, 'poll'> & Partial<StoredReceipt>;

/** The stored text, which is a stable snapshot of all receipts; null without storage. */
function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** The id of a receipt in the list of all: it contains the poll’s id, because a receipt is never in a URL. */
export const receiptElementId = (poll: string): string => `vote-${poll}`;

/** The address that opens the list of receipts at the one of a poll. */
export const receiptAddress = (poll: string): string => `/my-votes#${receiptElementId(poll)}`;

/** Everything that is stored, newest first. */
export function storedEntries(): readonly StoredEntry[] {
  try {
    const entries: unknown = JSON.parse(stored() ?? '[]');
    return Array.isArray(entries) ? (entries as (StoredEntry | null)[]).filter((entry) => entry !== null) : [];
  } catch {
    return [];
  }
}

/** The receipt of a poll on this device, 28 characters in groups of four; null if there is none. */
export const receiptOf = (poll: string): string | null =>
  storedEntries().find((entry) => entry.poll === poll)?.receipt ?? null;

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
 * drew, if the vote was recorded with it; `written` is the answer that its voter wrote, which nobody else sees.
 */
export function rememberReceipt(
  poll: VotedPoll,
  [optionId = '', ...further]: readonly string[],
  { receipt, promise }: GivenReceipt,
  path: string,
  nonce?: string,
  written?: string,
): void {
  const option =
    written ?? [optionId, ...further].map((own) => poll.options.find(({ id }) => id === own)?.text ?? '').join(', ');
  const day = new Date().toISOString().slice(0, 10);
  const earlier = storedEntries();
  const same = earlier.find((other) => other.receipt === receipt);
  const own = nonce ?? same?.nonce;
  const entry = {
    ...{ poll: poll.id, question: poll.question, receipt, optionId, option, day: same?.day ?? day, path },
    ...(further.length > 0 && { further }),
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

import type { VotePromise } from '#domain/verification/promise.ts';

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

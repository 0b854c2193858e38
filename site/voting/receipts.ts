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

/** The id of a receipt in the list of all: it contains the poll’s id, because a receipt is never in a URL. */
export const receiptElementId = (poll: string): string => `vote-${poll}`;

/** The address that opens the list of receipts at the one of a poll. */
export const receiptAddress = (poll: string): string => `/my-votes#${receiptElementId(poll)}`;

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

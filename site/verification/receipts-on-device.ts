import { storedEntries } from '#site/polls/voting/receipts.ts';
import type { StoredEntry, StoredReceipt } from '#site/polls/voting/receipts.ts';

const fields = ['poll', 'question', 'receipt', 'optionId', 'option', 'day', 'path'] as const;
const isReceipt = (entry: StoredEntry): entry is StoredReceipt =>
  fields.every((field) => typeof entry[field] === 'string');

/** The receipts on this device, newest first. */
export const receiptsOnDevice = (): readonly StoredReceipt[] => storedEntries().filter(isReceipt);

import { useSyncExternalStore } from 'react';
import { shortCode } from '#domain/verification/short-code.ts';
import { receiptNoteTexts as texts } from '#texts/receipt-note.ts';
import { receiptOf, watchReceipts } from './receipts.ts';
import styles from './Ballot.module.css';

/** The receipt of a vote cast in this browser, in its short form, with a link to all of them. */
export function ReceiptNote({ pollId }: { readonly pollId: string }) {
  const receipt = useSyncExternalStore(
    watchReceipts,
    () => receiptOf(pollId),
    () => null,
  );
  if (receipt === null) return null;
  return (
    <a className={styles.receipt} href="/my-votes">
      {texts.label} <span className={styles.code}>{shortCode(receipt)}</span>
    </a>
  );
}

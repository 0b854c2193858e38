import { useSyncExternalStore } from 'react';
import { shortCode } from '#domain/verification/short-code.ts';
import { receiptNoteTexts as texts } from '#texts/receipt-note.ts';
import { receiptAddress, receiptOf } from './receipts.ts';
import { watchReceipts } from './store-receipts.ts';
import styles from './Ballot.module.css';

/** The receipt of a vote cast in this browser, in its short form, with a link to it in the list of all. */
export function ReceiptNote({ pollId }: { readonly pollId: string }) {
  const receipt = useSyncExternalStore(
    watchReceipts,
    () => receiptOf(pollId),
    () => null,
  );
  return (
    receipt && (
      <a className={styles.receipt} href={receiptAddress(pollId)}>
        {texts.label} <span className={styles.code}>{shortCode(receipt)}</span>
      </a>
    )
  );
}

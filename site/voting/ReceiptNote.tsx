import { useSyncExternalStore } from 'react';
import { shortCode } from '#domain/verification/short-code.ts';
import { receiptNoteTexts as texts } from '#texts/receipt-note.ts';
import { receiptOf } from './receipts.ts';
import { watchReceipts } from './store-receipts.ts';
import styles from './Ballot.module.css';

/** The receipt of a vote cast in this browser, in its short form, with a link to all of them. */
export function ReceiptNote({ pollId }: { readonly pollId: string }) {
  const receipt = useSyncExternalStore(
    watchReceipts,
    () => receiptOf(pollId),
    () => null,
  );
  return receipt && <ReceiptLink code={shortCode(receipt)} />;
}

/** The link to all receipts, with the short code of one. */
export function ReceiptLink({ code }: { readonly code: string }) {
  return (
    <a className={styles.receipt} href="/my-votes">
      {texts.label} <span className={styles.code}>{code}</span>
    </a>
  );
}

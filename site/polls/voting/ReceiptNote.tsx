import { useSyncExternalStore } from 'react';
import { shortCode } from '#domain/verification/short-code.ts';
import { receiptNoteTexts as texts } from '#texts/receipt-note.ts';
import { receiptAddress, receiptOf } from './receipts.ts';
import { watchReceipts } from './store-receipts.ts';
import styles from './Ballot.module.css';

/** The receipt of a vote cast in this browser, in its short form, with a link to it. */
export function ReceiptNote({ pollId }: { readonly pollId: string }) {
  const receipt = useSyncExternalStore(
    watchReceipts,
    () => receiptOf(pollId),
    () => null,
  );
  return receipt && <ReceiptLink pollId={pollId} code={shortCode(receipt)} />;
}

interface ReceiptLinkProps {
  readonly pollId: string;
  /** The short code of its receipt. */
  readonly code: string;
}

/** The link to the receipt of a poll in the list of all. */
export function ReceiptLink({ pollId, code }: ReceiptLinkProps) {
  return (
    <a className={styles.receipt} href={receiptAddress(pollId)}>
      {texts.label} <span className={styles.code}>{code}</span>
    </a>
  );
}

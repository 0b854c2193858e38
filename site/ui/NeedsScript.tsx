import { gateTexts } from '#texts/accounts.ts';
import styles from './NeedsScript.module.css';

/** What a member's page says where no script can find out who reads; nothing elsewhere. */
export function NeedsScript({ title }: { readonly title: string }) {
  return (
    <div className={`no-js-only ${styles.page}`}>
      <h1>{title}</h1>
      <p className="notice">{gateTexts.noScript}</p>
    </div>
  );
}

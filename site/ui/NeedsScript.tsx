import { gateTexts } from '#texts/accounts.ts';
import styles from './NeedsScript.module.css';

/** The heading of a members' page before the sign-in state is known, and a notice for browsers without JavaScript. */
export function NeedsScript({ title }: { readonly title: string }) {
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden visually-hidden--by-scripts">{title}</h1>
      <p className="no-js-only notice">{gateTexts.noScript}</p>
    </div>
  );
}

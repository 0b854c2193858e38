import { useId } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { useCopyLink } from '#site/ui/use-copy-link.ts';
import { pollTexts } from '#texts/polls.ts';
import styles from './OpenPoll.module.css';

/** The poll's address to take along: a read-only field and a button that copies it. */
export function ShareBox({ url }: { readonly url: string }) {
  const id = useId();
  const { copied, copy } = useCopyLink(url);
  // Until the island is awake, a press would be lost without a word.
  const hydrated = useHydrated();

  return (
    <section className={styles.share} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className={styles.shareHeading}>
        {pollTexts.page.shareHeading}
      </h2>
      <div className={styles.shareRow}>
        <label className="visually-hidden" htmlFor={`${id}-link`}>
          {pollTexts.page.shareLabel}
        </label>
        <input id={`${id}-link`} className="input" readOnly value={url} onFocus={(event) => event.target.select()} />
        <button
          type="button"
          className={`button js-only ${styles.copy}`}
          disabled={!hydrated}
          onClick={() => void copy()}
        >
          {copied ? pollTexts.page.copied : pollTexts.page.copy}
        </button>
      </div>
    </section>
  );
}

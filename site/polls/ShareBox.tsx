import { useId } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { pollTexts } from '#texts/polls.ts';
import styles from './OpenPoll.module.css';

/** The poll's address to take along. */
export function ShareBox({ url }: { readonly url: string }) {
  const id = useId();
  return (
    <section className={styles.share} aria-labelledby={id}>
      <h2 id={id} className={styles.shareHeading}>
        {pollTexts.page.shareHeading}
      </h2>
      <CopyLink url={url} label={pollTexts.page.shareLabel} ready={useHydrated()} />
    </section>
  );
}

import { useEffect, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { copyLinkTexts } from '#texts/sharing.ts';
import styles from './CopyLink.module.css';
import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';
import { dispatchLinkCopied } from './visit-event.ts';

interface CopyLinkProps {
  readonly url: string;
  /** Accessible name of the field. */
  readonly label: string;
  /** Whether the island is hydrated; before that a click would be lost. */
  readonly ready: boolean;
  /** Whether it is in a modal dialog, which covers notifications; the outcome is then shown here too. */
  readonly inDialog?: boolean;
  /** Id of text about it. */
  readonly describedBy?: string;
  /** Other words, for something to copy that is no link. */
  readonly texts?: CopyTexts;
}

type CopyTexts = Readonly<Record<'copy' | 'copied', string>> &
  Readonly<Record<'copiedToast' | 'failedToast', ToastMessage & { readonly text: string }>>;

/** A read-only field with a link, and a button that copies it and shows a check mark for two seconds. */
export function CopyLink({ url, label, ready, inDialog = false, describedBy, texts = copyLinkTexts }: CopyLinkProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none');
  const [copied, failed] = [outcome === 'copied', outcome === 'failed'];

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setOutcome('none'), limits.copiedIndicatorMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setOutcome('copied');
      if (texts === copyLinkTexts) dispatchLinkCopied(url, 'copy');
      toast(texts.copiedToast);
    } catch {
      setOutcome('failed');
      toast({ ...texts.failedToast, destructive: true });
    }
  };

  return (
    <div className={styles.row}>
      <input
        className="input"
        readOnly
        value={url}
        aria-label={label}
        aria-describedby={describedBy}
        dir="ltr"
        onFocus={({ target }) => {
          target.select();
          // The browser scrolls to the end of what is selected.
          requestAnimationFrame(() => (target.scrollLeft = 0));
        }}
      />
      <button type="button" className={`button js-only ${styles.copy}`} disabled={!ready} onClick={() => void copy()}>
        {copied && (
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <path d="m3.5 10.5 4.5 4.5 8.5-10" fill="none" stroke="currentColor" strokeWidth="2.25" />
          </svg>
        )}
        {copied ? texts.copied : texts.copy}
      </button>
      <p className={failed && inDialog ? styles.failed : 'visually-hidden'} role="status">
        {inDialog && (failed ? texts.failedToast.text : copied && texts.copied)}
      </p>
    </div>
  );
}

import { copyLinkTexts as texts } from '#texts/sharing.ts';
import styles from './CopyLink.module.css';
import { useCopyLink } from './use-copy-link.ts';

interface CopyLinkProps {
  readonly url: string;
  /** Names the field. */
  readonly label: string;
  /** The island is awake: until then a press would be lost without a word. */
  readonly ready: boolean;
  /** Within a modal dialog: notifications lie behind it, so that what happened is said here, too. */
  readonly inDialog?: boolean;
}

/** An address to take along: a read-only field and a button that copies it and shows a check for two seconds. */
export function CopyLink({ url, label, ready, inDialog = false }: CopyLinkProps) {
  const { copied, failed, copy } = useCopyLink(url);
  return (
    <div className={styles.row}>
      <input
        className="input"
        readOnly
        value={url}
        aria-label={label}
        dir="ltr"
        onFocus={(event) => event.target.select()}
      />
      <button type="button" className={`button js-only ${styles.copy}`} disabled={!ready} onClick={() => void copy()}>
        {copied && (
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <path d="m3.5 10.5 4.5 4.5 8.5-10" fill="none" stroke="currentColor" strokeWidth="2.25" />
          </svg>
        )}
        {copied ? texts.copied : texts.copy}
      </button>
      {inDialog && (
        <p className={failed ? styles.failed : 'visually-hidden'} role="status">
          {failed ? texts.failedToast.text : copied ? texts.copied : ''}
        </p>
      )}
    </div>
  );
}

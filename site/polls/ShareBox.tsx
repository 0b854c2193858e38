import { useId } from 'react';
import type { Poll } from '#contract/poll.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { copyMessage, copyText } from '#site/ui/ShareButton.tsx';
import { ShareButton } from '#site/ui/ShareButton.tsx';
import { toast } from '#site/ui/toasts.ts';
import { pollTexts } from '#texts/polls.ts';
import { shareTexts } from '#texts/sharing.ts';
import { embedCode } from './embed-code.ts';
import styles from './OpenPoll.module.css';

const { embed } = shareTexts;

interface ShareBoxProps {
  /** The poll's public address. */
  readonly url: string;
  readonly poll: Poll;
}

/** The poll to take along: its address, the system's share sheet, and code for other people's pages. */
export function ShareBox({ url, poll }: ShareBoxProps) {
  const id = useId();
  const ready = useHydrated();
  const code = embedCode(url, poll);
  const handleCopyCode = async () => toast(copyMessage(await copyText(code)));
  return (
    <section className={`no-print ${styles.share}`} aria-labelledby={id}>
      <h2 id={id} className={styles.shareHeading}>
        {pollTexts.page.shareHeading}
      </h2>
      <CopyLink url={url} label={pollTexts.page.shareLabel} ready={ready} />
      <ShareButton title={poll.question} url={url} ready={ready} className="button--wide" />
      <details className={styles.embed}>
        <summary>{embed.heading}</summary>
        <p className="muted small">{embed.note}</p>
        <textarea
          className="input"
          rows={5}
          readOnly
          spellCheck={false}
          dir="ltr"
          aria-label={embed.label}
          value={code}
        />
        <button
          type="button"
          className="button button--small js-only"
          disabled={!ready}
          onClick={() => void handleCopyCode()}
        >
          {embed.copy}
        </button>
      </details>
    </section>
  );
}

import type { ReactNode } from 'react';
import { standingSentence } from '#domain/standing.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { copyText, ShareButton, shareMessage } from '#site/ui/ShareButton.tsx';
import { toast } from '#site/ui/toasts.ts';
import { dispatchLinkCopied } from '#site/ui/visit-event.ts';
import { copyLinkTexts } from '#texts/sharing.ts';
import { afterVoteTexts as texts } from '#texts/after-vote.ts';
import styles from './AfterVote.module.css';
import { countedOptions, pollPath } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';

interface AfterVoteProps {
  readonly poll: AnyPoll;
  /** Shown below: what to answer next. */
  readonly children?: ReactNode;
}

/** What a voter sees right after the vote: how the answer is doing, the time left, and the link to share. */
export function AfterVote({ poll, children }: AfterVoteProps) {
  const options = countedOptions(poll);
  const standing = options && standingSentence({ ...poll, options }, poll.userVote);
  const url = new URL(pollPath(poll), location.href).href;
  const copy = async () => {
    const copied = await copyText(url);
    if (copied) dispatchLinkCopied(url, 'copy');
    const message = shareMessage(copied ? 'copied' : 'failed');
    if (message !== null) toast(message);
  };
  return (
    <div className={styles.after}>
      {standing !== null && <p className={styles.standing}>{standing}</p>}
      <div className={`no-print ${styles.row}`}>
        {poll.endsAt !== null && (
          <p className={styles.ends}>
            {texts.ends} <RelativeTime moment={poll.endsAt} />
          </p>
        )}
        <span className={styles.buttons}>
          {(poll.visibility ?? 'public') === 'public' && (
            <ShareButton title={poll.question} url={url} ready className="button--small" />
          )}
          <button type="button" className="button button--small" onClick={() => void copy()}>
            {copyLinkTexts.copy}
          </button>
        </span>
      </div>
      {children}
    </div>
  );
}

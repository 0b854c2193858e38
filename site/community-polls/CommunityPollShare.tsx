import { useId } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { CopyLink } from '#site/ui/CopyLink.tsx';
import { ShareButton } from '#site/ui/ShareButton.tsx';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPoll.module.css';

const texts = communityPollTexts.share;

interface CommunityPollShareProps {
  readonly poll: CommunityPoll;
  /** The page's public address. */
  readonly url: string;
}

/** The poll's address to take along, and who can open it. */
export function CommunityPollShare({ poll, url }: CommunityPollShareProps) {
  const id = useId();
  const ready = useHydrated();
  const note =
    poll.visibility === 'public'
      ? undefined
      : poll.visibility === 'unlisted'
        ? texts.unlisted
        : poll.isMine
          ? texts.private
          : texts.guest;
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id} className={styles.boxHeading}>
        {texts.heading}
      </h2>
      {note !== undefined && <p className={styles.boxNote}>{note}</p>}
      <CopyLink url={url} label={texts.label} ready={ready} />
      {poll.visibility === 'public' && (
        <ShareButton title={poll.question} url={url} ready={ready} className="button--wide" />
      )}
    </section>
  );
}

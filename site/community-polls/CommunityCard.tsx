import { useEffect, useRef } from 'react';
import type { CommunityCard as Card } from '#contract/community-poll.ts';
import type { Phase } from '#domain/poll-lifecycle.ts';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { communityTexts } from '#texts/community.ts';
import styles from './CommunityCard.module.css';
import { communityPath } from './community-list-view.ts';
import { VisibilityIcon } from './VisibilityIcon.tsx';

interface CommunityCardProps {
  readonly poll: Card;
  /** The moment by which a poll has started or not, in milliseconds. */
  readonly now: number;
  /** It was just made here: the focus goes to it, once. */
  readonly fresh?: boolean;
  readonly onFreshShown?: (() => void) | undefined;
}

/** The server says what is closed (decision 065); only the start is compared with a clock. */
function phaseOf({ isActive, closedAt, startsAt }: Card, now: number): Phase {
  if (!isActive || closedAt !== null) return 'closed';
  return Date.parse(startsAt) > now ? 'upcoming' : 'open';
}

/** A community poll in a list: who may see it, what it asks, how it stands, and the way to it. */
export function CommunityCard({ poll, now, fresh = false, onFreshShown }: CommunityCardProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (!fresh) return;
    link.current?.focus();
    onFreshShown?.();
  }, [fresh, onFreshShown]);

  const phase = phaseOf(poll, now);
  const texts = communityTexts.card;
  return (
    <article className={styles.card}>
      <p className={styles.kicker}>
        <span className={styles.visibility}>
          <VisibilityIcon visibility={poll.visibility} />
          {texts.visibility[poll.visibility]}
        </span>
        {poll.category !== null && <span className={styles.category}>{poll.category}</span>}
        <span className={`${styles.phase} ${styles[phase]}`}>{texts.phase[phase]}</span>
      </p>
      <div className={styles.words}>
        <h3 className={styles.question} dir="auto">
          <a ref={link} href={`${communityPath}/${poll.id}`}>
            {poll.question}
          </a>
        </h3>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </div>
      <p className={styles.facts}>
        <b>{texts.votes(formatCount(poll.totalVotes), poll.totalVotes)}</b>
        <RelativeTime moment={poll.createdAt} />
      </p>
    </article>
  );
}

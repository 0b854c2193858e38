import { creatorText } from '#domain/display-name.ts';
import { pollPath } from '#site/polls/voting/ballot.ts';
import { PollNotes } from '#site/polls/voting/PollNotes.tsx';
import { formatCount } from '#site/ui/format.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { communityCardTexts as texts } from '#texts/poll-list.ts';
import { phaseOf } from './listed-card.ts';
import type { ListedCard } from './listed-card.ts';
import { PollCard } from './PollCard.tsx';
import styles from './PollList.module.css';
import { VisibilityIcon } from './VisibilityIcon.tsx';

interface ListedPollProps {
  readonly poll: ListedCard;
  /** The time that decides whether a poll has started, in milliseconds. */
  readonly now: number;
}

/** A community poll in a list, with a link to its page. */
export function ListedPoll({ poll, now }: ListedPollProps) {
  const phase = phaseOf(poll, now);
  return (
    <PollCard
      poll={poll}
      href={pollPath(poll)}
      phase={phase}
      kicker={
        <>
          <span className={styles.visibility}>
            <VisibilityIcon visibility={poll.visibility} />
            {texts.visibility[poll.visibility]}
          </span>
          {poll.category !== null && <span className={styles.mark}>{poll.category}</span>}
          <span className={`${styles.phase} ${styles[phase]}`}>{texts.phase[phase]}</span>
        </>
      }
    >
      <div className={styles.facts}>
        {/* Before React, live-community-list.ts changes what is marked with data attributes. */}
        <b data-votes data-one={texts.votes('#', 1)} data-other={texts.votes('#', 2)}>
          {texts.votes(formatCount(poll.totalVotes), poll.totalVotes)}
        </b>
        <span
          hidden={poll.commentCount === 0}
          data-comments
          data-one={texts.comments('#', 1)}
          data-other={texts.comments('#', 2)}
        >
          {texts.comments(formatCount(poll.commentCount), poll.commentCount)}
        </span>
        <RelativeTime moment={poll.createdAt} />
        {phase === 'upcoming' && (
          <span>
            {texts.starts} <RelativeTime moment={poll.startsAt} isDeadline />
          </span>
        )}
        {phase === 'open' && poll.endsAt !== null && (
          <span>
            {texts.ends} <RelativeTime moment={poll.endsAt} isDeadline />
          </span>
        )}
        <b hidden={poll.hasVoted !== true} data-voted>
          {texts.voted}
        </b>
        <PollNotes poll={poll} href={null} />
        {/* Pre-rendered cards have no name; its line is reserved. */}
        <bdi className={styles.by} data-by={texts.by('#')}>
          {poll.createdByName === undefined ? '' : texts.by(creatorText(poll))}
        </bdi>
      </div>
    </PollCard>
  );
}

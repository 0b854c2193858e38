import type { CommunityPoll } from '#contract/community-poll.ts';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { ownPollTexts as texts } from '#texts/profile.ts';
import styles from './OwnPoll.module.css';

interface OwnPollProps {
  readonly poll: CommunityPoll;
  /** With its description. */
  readonly full?: boolean;
}

/** A poll that the member created: what it asks and how it stands. */
export function OwnPoll({ poll, full = false }: OwnPollProps) {
  const active = poll.isActive && poll.closedAt === null;
  return (
    <li className={styles.poll}>
      <h3 className={styles.question} dir="auto">
        <a href={`/community-polls/${poll.id}`}>{poll.question}</a>
      </h3>
      {full && poll.description !== '' && (
        <p className={styles.description} dir="auto">
          {poll.description}
        </p>
      )}
      <p className={styles.facts}>
        <span className={active ? styles.active : styles.closed}>
          {active ? texts.phase.active : texts.phase.closed}
        </span>
        <b>{texts.votes(formatCount(poll.totalVotes), poll.totalVotes)}</b>
        <time dateTime={poll.createdAt}>{formatDay(poll.createdAt)}</time>
        {poll.category !== null && <span>{poll.category}</span>}
        {poll.visibility !== 'public' && <span>{texts.visibility[poll.visibility]}</span>}
      </p>
    </li>
  );
}

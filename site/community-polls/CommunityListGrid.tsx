import type { CommunityCard as Card } from '#contract/community-poll.ts';
import { CommunityCard } from './CommunityCard.tsx';
import styles from './CommunityList.module.css';

interface CommunityListGridProps {
  readonly polls: readonly Card[];
  readonly now: number;
  /** The poll that was just made here; its card takes the focus. */
  readonly freshId?: string | null;
  readonly onFreshShown?: () => void;
  /** Another list is on its way. */
  readonly waiting?: boolean;
  /** As a front page leads: larger, and few cards share the width. */
  readonly lead?: boolean;
}

/** Cards in columns like a newspaper's. */
export function CommunityListGrid(props: CommunityListGridProps) {
  const { polls, now, freshId, onFreshShown, waiting = false, lead = false } = props;
  return (
    <ul className={`columns${lead ? ` ${styles.lead}` : ''}${waiting ? ` ${styles.waiting}` : ''}`}>
      {polls.map((poll) => (
        <li key={poll.id} className="columns__cell">
          <CommunityCard poll={poll} now={now} fresh={poll.id === freshId} onFreshShown={onFreshShown} />
        </li>
      ))}
    </ul>
  );
}

/** Empty cards of about the final size, for a list that nothing is known of yet. */
export function CommunityListPlaceholders() {
  return (
    <ul className="columns js-only" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((place) => (
        <li key={place} className="columns__cell">
          <div className={styles.placeholder}>
            <span className={`skeleton ${styles.line}`} />
            <span className={`skeleton ${styles.question}`} />
            <span className={`skeleton ${styles.line}`} />
          </div>
        </li>
      ))}
    </ul>
  );
}

import type { PollOption } from '#contract/poll.ts';
import { percentOneDecimal, percentWhole } from '#domain/poll-results.ts';
import { resultTexts } from '#texts/shell.ts';
import { formatCount, formatPercent } from './format.ts';
import styles from './ResultBars.module.css';

/** One bar: an option, or several of them summed up. */
export interface Bar extends PollOption {
  /** Place in the poll's own order from 0, which gives the color; null for a sum. The place in the list when left out. */
  readonly position?: number | null;
  /** Whether this answer leads, which is shown in bold. */
  readonly leading?: boolean;
}

interface ResultBarsProps {
  readonly options: readonly Bar[];
  /** What percentages are counted on. */
  readonly totalVotes: number;
  /** Id of the option that this voter chose. */
  readonly userVote?: string | null | undefined;
  /** What marks that option; 'Your vote' when left out. */
  readonly yourVote?: string;
  /** Whole numbers on the voting results view, one decimal on reports. */
  readonly decimals?: 0 | 1;
  /** Shows at most so many options; all when left out. */
  readonly max?: number;
  /** Lets the bars grow once, the voter's choice first. Only after an action, never when a page loads. */
  readonly grow?: boolean;
  /** Leaves out the votes behind the percent: cards in a grid. */
  readonly compact?: boolean;
}

const colors = [styles.first, styles.second, styles.third];
const colorOf = (position: number | null) => (position === null ? styles.sum : (colors[position] ?? styles.later));

/** Results of a poll as a list: text, percent, bar and votes of each option. A pure view. */
export function ResultBars(props: ResultBarsProps) {
  const { options, totalVotes, userVote, yourVote = resultTexts.yourVote } = props;
  const { decimals = 0, max = options.length, grow = false, compact = false } = props;
  return (
    <ol className={`${styles.bars}${grow ? ` ${styles.grow}` : ''}${compact ? ` ${styles.compact}` : ''}`}>
      {options.slice(0, max).map((option, index) => {
        const percent = (decimals === 0 ? percentWhole : percentOneDecimal)(option.votes, totalVotes);
        const mine = userVote != null && userVote === option.id;
        const { position = index, leading = false } = option;
        const emphasis = `${mine ? ` ${styles.mine}` : ''}${leading ? ` ${styles.leading}` : ''}`;
        return (
          <li key={option.id} className={`${styles.bar} ${colorOf(position)}${emphasis}`}>
            <span className={styles.text} dir="auto">
              {option.text}
            </span>
            <span className={styles.percent}>{formatPercent(percent, decimals)}</span>
            <svg className={styles.track} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <rect className={styles.ground} width="100" height="10" />
              <rect className={styles.fill} width={Math.min(100, percent)} height="10" />
            </svg>
            {(mine || !compact) && (
              <span className={styles.notes}>
                {!compact && <span>{resultTexts.votes(formatCount(option.votes), option.votes)}</span>}
                {mine && <span className={styles.tag}>{yourVote}</span>}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

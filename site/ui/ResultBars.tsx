import type { PollOption } from '#api/polls/polls.contract.ts';
import { percentOneDecimal, percentWhole } from '#domain/poll-results.ts';
import { resultTexts } from '#texts/shell.ts';
import { formatCount, formatPercent } from './format.ts';
import styles from './ResultBars.module.css';

/** A bar: an option, or the sum of several. */
export interface Bar extends PollOption {
  /** Position in the poll's own order, from 0, which sets the color; null for a sum. Defaults to the list position. */
  readonly position?: number | null;
  /** Whether this answer leads; leading answers are bold. */
  readonly leading?: boolean;
}

interface ResultBarsProps {
  readonly options: readonly Bar[];
  /** Denominator of the percentages. */
  readonly totalVotes: number;
  /** Ids of the options this visitor voted for. */
  readonly userVotes?: readonly string[];
  /** Label of these options; 'Your vote' by default. */
  readonly yourVote?: string | undefined;
  /** 0 in voting results, 1 in reports. */
  readonly decimals?: 0 | 1;
  /** Maximum number of options shown; all by default. */
  readonly max?: number | undefined;
  /** Animates the bars once, the visitor's choice first. Only after an action, never on page load. */
  readonly grow?: boolean;
  /** Omits the vote counts, for cards in a grid. */
  readonly compact?: boolean;
  /** Ten colors as in charts; otherwise the fourth is that of all later options. */
  readonly distinct?: boolean;
  /** Accessible name of the list. */
  readonly label?: string;
}

const colors = [styles.first, styles.second, styles.third];
const tenColors = [
  ...[...colors, styles.later, styles.fifth, styles.sixth],
  ...[styles.seventh, styles.eighth, styles.ninth, styles.tenth],
];

/** The class with the color of a bar and its percentage, by position from 0 in the poll's own order; null for a sum. */
function barColor(position: number | null, distinct: boolean) {
  if (position === null) return styles.sum;
  return distinct ? tenColors[position % tenColors.length] : (colors[position] ?? styles.later);
}

/** A bar whose length is a share in percent; `--bar` is its height. */
export function ResultBar({ percent }: { readonly percent: number }) {
  return (
    <svg className={styles.track} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.ground} width="100" height="10" />
      <rect className={styles.fill} width={Math.min(100, percent)} height="10" />
    </svg>
  );
}

/** Marks the option that this visitor voted for. */
export function OwnVote({ label = resultTexts.yourVote }: { readonly label?: string | undefined }) {
  return <span className={styles.tag}>{label}</span>;
}

/** The results of a poll as a list: text, percentage, bar, and votes of each option. */
export function ResultBars(props: ResultBarsProps) {
  const { options, totalVotes, userVotes = [], yourVote } = props;
  const { decimals = 0, max = options.length, grow = false, compact = false, distinct = false, label } = props;
  return (
    <ol
      className={`${styles.bars}${grow ? ` ${styles.grow}` : ''}${compact ? ` ${styles.compact}` : ''}${distinct ? ` ${styles.distinct}` : ''}`}
      aria-label={label}
    >
      {options.slice(0, max).map((option, index) => {
        const percent = (decimals === 0 ? percentWhole : percentOneDecimal)(option.votes, totalVotes);
        const isOwn = userVotes.includes(option.id);
        const { position = index, leading = false } = option;
        const emphasis = `${isOwn ? ` ${styles.own}` : ''}${leading ? ` ${styles.leading}` : ''}`;
        return (
          <li key={option.id} className={`${styles.bar} ${barColor(position, distinct)}${emphasis}`}>
            <span className={styles.text} dir="auto">
              {option.text}
            </span>
            <span className={styles.percent}>{formatPercent(percent, decimals)}</span>
            <ResultBar percent={percent} />
            {(isOwn || !compact) && (
              <span className={styles.notes}>
                {!compact && (
                  <span data-votes-of={option.id}>{resultTexts.votes(formatCount(option.votes), option.votes)}</span>
                )}
                {isOwn && <OwnVote label={yourVote} />}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

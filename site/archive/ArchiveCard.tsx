import type { PollCard } from '#contract/poll.ts';
import { categoryLabel, topResults } from '#domain/poll-results.ts';
import { formatCount, formatDayRange } from '#site/ui/format.ts';
import { type Bar, ResultBars } from '#site/ui/ResultBars.tsx';
import { archiveTexts } from '#texts/archive.ts';
import { resultTexts } from '#texts/shell.ts';
import styles from './Archive.module.css';

/** Options that a card names; the rest is summed up. */
const namedOptions = 3;

/** A completed poll in the list: its result at a glance, and the way to its report. */
export function ArchiveCard({ poll }: { readonly poll: PollCard }) {
  const { top, otherVotes } = topResults(poll.options, namedOptions);
  const bars: Bar[] = top.map((option) => ({ ...option, leading: option.rank === 1 && option.votes > 0 }));
  if (otherVotes !== null) bars.push({ id: '', text: resultTexts.others, votes: otherVotes, position: null });
  return (
    <article className={styles.card}>
      <p className={styles.kicker}>
        <span className={styles.completed}>{archiveTexts.completed}</span>
        {poll.category !== null && <span dir="auto">{categoryLabel(poll.category)}</span>}
      </p>
      <div className={styles.words}>
        <h3 className={styles.question} dir="auto">
          <a href={`/poll/${poll.id}`}>{poll.question}</a>
        </h3>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </div>
      <div>
        <ResultBars options={bars} totalVotes={poll.totalVotes} compact />
      </div>
      <p className={styles.facts}>
        <span>{formatDayRange(poll.startsAt, poll.closedAt ?? poll.endsAt)}</span>
        <b>{resultTexts.votes(formatCount(poll.totalVotes), poll.totalVotes)}</b>
      </p>
    </article>
  );
}

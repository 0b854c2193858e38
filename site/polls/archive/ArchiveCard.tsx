import type { PollCard } from '#api/polls/polls.contract.ts';
import { categoryLabel, topResults } from '#domain/poll-results.ts';
import { topicAddress, topicSlug } from '#domain/topics.ts';
import { isProvisional } from '#domain/vote-figures.ts';
import { formatCount, formatDayRange, siteZone } from '#site/ui/format.ts';
import type { Bar } from '#site/ui/ResultBars.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { PollNotes } from '#site/polls/voting/PollNotes.tsx';
import { archiveTexts } from '#texts/archive.ts';
import { resultTexts } from '#texts/shell.ts';
import styles from './Archive.module.css';

/** Options listed on a card; the others are counted. */
const namedOptions = 3;

/** A completed poll in the list, with its result and a link to the report. */
export function ArchiveCard({ poll }: { readonly poll: PollCard }) {
  const { top, otherVotes } = topResults(poll.options, namedOptions);
  const bars: Bar[] = top.map((option) => ({
    ...option,
    leading: option.rank === 1 && option.votes > 0 && !isProvisional(poll),
  }));
  if (otherVotes !== null) bars.push({ id: '', text: resultTexts.others, votes: otherVotes, position: null });
  return (
    <article className={styles.card}>
      <p className={styles.kicker}>
        <span className={styles.completed}>{archiveTexts.completed}</span>
        {poll.category !== null && poll.category !== '' && (
          <a className={styles.category} href={topicAddress('category', topicSlug(poll.category))} dir="auto">
            {categoryLabel(poll.category)}
          </a>
        )}
      </p>
      <div className={styles.body}>
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
        <PollNotes poll={poll} href={null} />
      </div>
      <p className={styles.facts}>
        <span>{formatDayRange(poll.startsAt, poll.closedAt ?? poll.endsAt, siteZone())}</span>
        <span>
          <b>{resultTexts.votes(formatCount(poll.totalVotes), poll.totalVotes)}</b>
          {poll.origin !== undefined && ` · ${archiveTexts.origin[poll.origin]}`}
        </span>
      </p>
    </article>
  );
}

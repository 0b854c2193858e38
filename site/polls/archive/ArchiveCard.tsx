import type { PollCard as ClosedPoll } from '#api/polls/polls.contract.ts';
import { categoryLabel, topResults } from '#domain/poll-results.ts';
import { topicAddress, topicSlug } from '#domain/topics.ts';
import { isProvisional } from '#domain/vote-figures.ts';
import { PollCard } from '#site/polls/list/PollCard.tsx';
import styles from '#site/polls/list/PollList.module.css';
import { pollPath } from '#site/polls/voting/ballot.ts';
import { PollNotes } from '#site/polls/voting/PollNotes.tsx';
import { formatCount, formatDayRange, siteZone } from '#site/ui/format.ts';
import type { Bar } from '#site/ui/ResultBars.tsx';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { archiveTexts } from '#texts/archive.ts';
import { resultTexts } from '#texts/shell.ts';

/** Options listed on a card; the others are counted. */
const namedOptions = 3;

/** A completed poll in the list, with its result and a link to the report. */
export function ArchiveCard({ poll }: { readonly poll: ClosedPoll }) {
  const { top, otherVotes } = topResults(poll.options, namedOptions);
  const bars: Bar[] = top.map((option) => ({
    ...option,
    leading: option.rank === 1 && option.votes > 0 && !isProvisional(poll),
  }));
  if (otherVotes !== null) bars.push({ id: '', text: resultTexts.others, votes: otherVotes, position: null });
  return (
    <PollCard
      poll={poll}
      href={pollPath(poll)}
      kicker={
        <>
          <span className={styles.mark}>{archiveTexts.completed}</span>
          {poll.category !== null && poll.category !== '' && (
            <a className={styles.topic} href={topicAddress('category', topicSlug(poll.category))} dir="auto">
              {categoryLabel(poll.category)}
            </a>
          )}
        </>
      }
    >
      <div className={styles.result}>
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
    </PollCard>
  );
}

import type { Statistics } from '#contract/poll.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { statisticsTexts } from '#texts/statistics.ts';
import styles from './StatCards.module.css';
import { useStatistics } from './use-statistics.ts';

interface StatCardsProps {
  readonly statistics: Statistics;
  readonly publishedAt: string;
}

/** Three cards with the figures of all polls, first as published, then live. */
export default function StatCards({ statistics, publishedAt }: StatCardsProps) {
  const { data, isError, isFetching } = useStatistics(statistics, publishedAt);
  const { votes, participants, polls } = statisticsTexts.cards;
  const cards = [
    { ...votes, value: data.totalVotes },
    {
      ...participants,
      note: data.importedVotes > 0 ? participants.noteWithImports : participants.note,
      value: data.totalParticipants,
    },
    { ...polls, value: data.totalPolls },
  ];
  return (
    <>
      <dl className="figures">
        {cards.map(({ title, note, value }) => (
          <div key={title}>
            <dt className="figures__label">{title}</dt>
            <dd className={styles.value}>
              <span className="figures__value">{formatCount(value)}</span>
              <span className="figures__note">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {isError && (
        <div className={`row ${styles.failure}`} role="alert">
          <p>
            <strong>{statisticsTexts.failed}</strong> <span className="muted">{statisticsTexts.failedText}</span>
          </p>
          <RetryButton pending={isFetching} small />
        </div>
      )}
    </>
  );
}

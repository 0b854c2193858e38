import { useQuery } from '@tanstack/react-query';
import type { Statistics } from '#contract/poll.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { statisticsTexts } from '#texts/polls.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import styles from './Statistics.module.css';

interface StatisticsProps {
  /** The figures at the time of publishing. */
  readonly statistics: Statistics;
  readonly publishedAt: string;
}

/** Three cards with the figures of all polls, first as published, then live. */
export function StatCards({ statistics, publishedAt }: StatisticsProps) {
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

/** The headline figures in a line, first as published, then live; participants once there are any. */
export function HeroFigures({ statistics, publishedAt }: StatisticsProps) {
  const { data } = useStatistics(statistics, publishedAt);
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{statisticsTexts.heroFigures.votes(data.totalVotes)}</dt>
        <dd>{formatCount(data.totalVotes)}</dd>
      </div>
      {data.totalParticipants > 0 && (
        <div>
          <dt>{statisticsTexts.heroFigures.participants(data.totalParticipants)}</dt>
          <dd>{formatCount(data.totalParticipants)}</dd>
        </div>
      )}
      <div>
        <dt>{statisticsTexts.heroFigures.polls(data.totalPolls)}</dt>
        <dd>{formatCount(data.totalPolls)}</dd>
      </div>
    </dl>
  );
}

/** The headline figures; `initial` are those of the moment when the page was published. */
function useStatistics(initial: Statistics, publishedAt: string) {
  const hydrated = useHydrated();
  const query = useQuery<Statistics>(
    {
      queryKey: queryKeys.statistics,
      queryFn: ({ signal }) => callApi('statistics', { signal }),
      initialData: initial,
      initialDataUpdatedAt: Date.parse(publishedAt),
    },
    queryClient(),
  );
  return hydrated ? query : { ...query, data: initial, isError: false };
}

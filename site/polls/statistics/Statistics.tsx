import type { Statistics } from '#api/polls/polls.contract.ts';
import { formatCount } from '#site/ui/format.ts';
import { clientTexts } from '#texts/client.ts';
import { statisticsTexts } from '#texts/polls.ts';
import styles from './Statistics.module.css';

interface StatisticsProps {
  /** The figures at the time of publishing; client/live-statistics.ts makes them live. */
  readonly statistics: Statistics;
}

/** Three cards with the figures of all polls. */
export function StatCards({ statistics }: StatisticsProps) {
  const { votes, participants, polls } = statisticsTexts.cards;
  const cards = [
    { ...votes, figure: 'totalVotes' },
    {
      ...participants,
      note: statistics.importedVotes > 0 ? participants.noteWithImports : participants.note,
      figure: 'totalParticipants',
    },
    { ...polls, figure: 'totalPolls' },
  ] as const;
  return (
    <>
      <dl className="figures">
        {cards.map(({ title, note, figure }) => (
          <div key={title}>
            <dt className="figures__label">{title}</dt>
            <dd className={styles.value}>
              <span className="figures__value" data-statistic={figure}>
                {formatCount(statistics[figure])}
              </span>
              <span className="figures__note">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className={`row ${styles.failure}`} role="alert" data-statistics-failed hidden>
        <p>
          <strong>{statisticsTexts.failed}</strong> <span className="muted">{statisticsTexts.failedText}</span>
        </p>
        <button type="button" className="button button--small">
          {clientTexts.retry}
        </button>
      </div>
    </>
  );
}

/** The headline figures in a line: once there are polls that count, and participants once there are any with votes. */
export function HeroFigures({ statistics }: StatisticsProps) {
  const { votes, participants, polls } = statisticsTexts.heroFigures;
  const figures = [
    { label: votes, figure: 'totalVotes', needs: ['totalPolls'] },
    // Votes on demonstration and private polls count toward no total, but their voters are participants.
    { label: participants, figure: 'totalParticipants', needs: ['totalParticipants', 'totalVotes'] },
    { label: polls, figure: 'totalPolls', needs: ['totalPolls'] },
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, figure, needs }) => {
        const count = statistics[figure];
        return (
          <div key={figure} hidden={needs.some((name) => statistics[name] === 0)}>
            <dt data-one={label(1)} data-other={label(2)} data-needs={needs.join(' ')}>
              {label(count)}
            </dt>
            <dd data-statistic={figure}>{formatCount(count)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

import type { Statistics } from '#contract/poll.ts';
import { formatCount } from '#site/ui/format.ts';
import { statisticsTexts } from '#texts/statistics.ts';
import styles from './HeroFigures.module.css';
import { useStatistics } from './use-statistics.ts';

const texts = statisticsTexts.heroFigures;

interface HeroFiguresProps {
  readonly statistics: Statistics;
  readonly publishedAt: string;
}

/** The headline figures in a line, first as published, then live; participants once there are any. */
export default function HeroFigures({ statistics, publishedAt }: HeroFiguresProps) {
  const { data } = useStatistics(statistics, publishedAt);
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{texts.votes(data.totalVotes)}</dt>
        <dd>{formatCount(data.totalVotes)}</dd>
      </div>
      {data.totalParticipants > 0 && (
        <div>
          <dt>{texts.participants(data.totalParticipants)}</dt>
          <dd>{formatCount(data.totalParticipants)}</dd>
        </div>
      )}
      <div>
        <dt>{texts.polls(data.totalPolls)}</dt>
        <dd>{formatCount(data.totalPolls)}</dd>
      </div>
    </dl>
  );
}

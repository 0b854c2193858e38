import type { Tally } from '#contract/profile.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import { Meter } from './Meter.tsx';
import styles from './OverallProgress.module.css';

/** How many of all badges are earned. */
export function OverallProgress({ overall }: { readonly overall: Tally | undefined }) {
  if (overall === undefined) return <div className={`skeleton ${styles.place}`} />;
  const words = texts.overall(formatCount(overall.earned), formatCount(overall.total));
  return (
    <div className={styles.overall}>
      <p className={styles.words}>
        <span>{words}</span> <b>{formatPercent(overall.percent, 0)}</b>
      </p>
      <Meter percent={overall.percent} />
    </div>
  );
}

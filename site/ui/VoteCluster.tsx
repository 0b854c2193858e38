import type { VoteCluster as Cluster } from '#contract/suspicion.ts';
import { clusterTexts as texts } from '#texts/suspicion.ts';
import styles from './VoteCluster.module.css';

/** A suspicious cluster of votes: what it is, when the votes came, and the evidence, strongest first. */
export function VoteCluster({ cluster }: { readonly cluster: Omit<Cluster, 'criteria'> }) {
  const signals = cluster.signals.toSorted((a, b) => b.strength - a.strength);
  return (
    <div className={styles.cluster}>
      <p>
        <strong>{texts.reasons[cluster.reason]}</strong>{' '}
        <span className="muted small figure">{texts.score(cluster.score)}</span>
      </p>
      <p className="small" dir="auto">
        {texts.votes(cluster.votes, cluster.counted, cluster.option)}
      </p>
      <Chart {...cluster.chart} />
      <ul className={`small ${styles.signals}`} aria-label={texts.evidence}>
        {signals.map((signal) => (
          <li key={signal.kind}>{texts.signals[signal.kind](signal)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Votes over time, one bar per step. */
function Chart({ step, votes }: Cluster['chart']) {
  const most = Math.max(1, ...votes);
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${votes.length} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.chart(most, step)}
    >
      {votes.map((count, place) => (
        <rect key={place} x={place + 0.1} y={1 - count / most} width={0.8} height={count / most} />
      ))}
    </svg>
  );
}

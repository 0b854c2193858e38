import type { VoteCluster as Cluster } from '#contract/suspicion.ts';
import { clusterTexts as texts } from '#texts/suspicion.ts';
import { CountBars } from './CountBars.tsx';
import styles from './VoteCluster.module.css';

/** A suspicious cluster of votes: what it is, when the votes came, and the evidence, strongest first. */
export function VoteCluster({ cluster }: { readonly cluster: Omit<Cluster, 'criteria'> }) {
  const { votes, step } = cluster.chart;
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
      <CountBars counts={votes} label={texts.chart(Math.max(1, ...votes), step)} />
      <ul className={`small ${styles.signals}`} aria-label={texts.evidence}>
        {signals.map((signal) => (
          <li key={signal.kind}>{texts.signals[signal.kind](signal)}</li>
        ))}
      </ul>
    </div>
  );
}

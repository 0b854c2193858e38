import styles from './CountBars.module.css';

/** Counts in equal steps as bars of one drawing; `label` says what they are. */
export function CountBars({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...counts);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${counts.length} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map((count, place) => (
        <rect key={place} x={place + 0.1} y={1 - count / most} width={0.8} height={count / most} />
      ))}
    </svg>
  );
}

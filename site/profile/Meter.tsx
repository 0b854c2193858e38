import styles from './Meter.module.css';

interface MeterProps {
  /** Whole percent. */
  readonly percent: number;
  readonly className?: string;
}

/** A bar that is filled so far. Decoration: the figures stand beside it. */
export function Meter({ percent, className = '' }: MeterProps) {
  return (
    <svg
      className={`${styles.meter} ${className}`.trim()}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className={styles.ground} width="100" height="10" />
      <rect className={styles.fill} width={percent} height="10" />
    </svg>
  );
}

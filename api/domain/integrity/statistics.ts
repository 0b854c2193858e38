/** Limits a strength to 0…1. */
export const clamp = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)));

/** How far `value` is on the logarithmic way from `low` (0) to `high` (1). */
export const onLogScale = (value: number, low: number, high: number): number =>
  clamp(Math.log(value / low) / Math.log(high / low));

/**
 * How unusual agreement is: 1 − share^n, with n the votes that count as independent when people of one network agree more
 * often than others.
 */
export function surprise(votes: number, share: number, correlation: number): number {
  const independent = votes / (1 + (votes - 1) * correlation);
  return 1 - share ** independent;
}

/** Variance of counts divided by their mean: 1 for independent arrivals, more for bursts, less for a regular pace. */
export function dispersion(counts: readonly number[]): number {
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  if (!(mean > 0)) return Infinity;
  return counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / counts.length / mean;
}

/** Limits a strength to 0…1. */
export const clamp = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)));

/** How far `value` is on the logarithmic way from `low` (0) to `high` (1). */
export const onLogScale = (value: number, low: number, high: number): number =>
  clamp(Math.log(value / low) / Math.log(high / low));

/** How much more often than others two people of one network agree. */
const networkCorrelation = 0.1;

/** The votes of one network that count as independent of each other. */
export const independentOf = (votes: number): number => votes / (1 + (votes - 1) * networkCorrelation);

/** How unusual it is that all votes of one network agree on an option with this share elsewhere, 0…1. */
export const surprise = (votes: number, share: number): number => 1 - share ** independentOf(votes);

/** Variance of counts divided by their mean: 1 for independent arrivals, more for bursts, less for a regular pace. */
export function dispersion(counts: readonly number[]): number {
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  if (!(mean > 0)) return Infinity;
  return counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / counts.length / mean;
}

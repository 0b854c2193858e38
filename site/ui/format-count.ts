// The locale is fixed so that build and browser produce the same text.
const counts = new Intl.NumberFormat('en-US');

/** A count with thousands separators: 1,204,331. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** A percentage with exactly this many decimals: 61%, 61.4%. */
export function formatPercent(percent: number, decimals: 0 | 1): string {
  return `${percent.toFixed(decimals)}%`;
}

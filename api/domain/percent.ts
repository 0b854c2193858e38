/** Share of a total in percent, not rounded; 0 when the total is 0. */
export function sharePercent(votes: number, total: number): number {
  return total > 0 ? (votes * 100) / total : 0;
}

/** Share in whole percent, for the results view of the voting card. */
export function percentWhole(votes: number, total: number): number {
  return Math.round(sharePercent(votes, total));
}

/** Share in percent with one decimal, for charts and reports. */
export function percentOneDecimal(votes: number, total: number): number {
  return total > 0 ? Math.round((votes * 1_000) / total) / 10 : 0;
}

/** A table row: texts by column. */
export type Row = Readonly<Record<string, string>>;

/** The median; NaN if there are no figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** A figure for a table; empty if it was not measured. */
export const fixed = (figure: number, digits: number) => (Number.isNaN(figure) ? '' : figure.toFixed(digits));

export const whole = (figure: number) => (Number.isNaN(figure) ? '' : Math.round(figure).toLocaleString('en-US'));

/** One measurement of a load as a line of the log. */
export const roundLine = (
  round: number,
  rounds: number,
  name: string,
  { perSecond, p50, p99, refused }: Readonly<Record<'perSecond' | 'p50' | 'p99' | 'refused', number>>,
) =>
  `round ${round}/${rounds}  ${name.padEnd(50)} ${whole(perSecond).padStart(7)}/s` +
  `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`;

/** The rows as a Markdown table, aligned as Prettier does it. */
export function tableOf(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, n) => (n === 0 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns), line(rule), ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))].join('\n');
}

/** One line of a table: column to text. */
export type Row = Readonly<Record<string, string>>;

/** The middle of some figures; NaN of none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The rows as a Markdown table, its columns lined up; figures to the right. */
export function tableOf(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '';
  const columns = Object.keys(first);
  const widths = columns.map((column) =>
    Math.max(...[column, ...rows.map((row) => row[column] ?? '')].map((text) => text.length)),
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, n) => (n === 0 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0))).join(' | ')} |`;
  // As Prettier writes it, which looks over the handbook, too.
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))].join('\n');
}

import { readFile, writeFile } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';

/** A table row: texts by column. */
export type Row = Readonly<Record<string, string>>;

/** A report: paragraphs and table rows in order. */
export type Report = readonly (Row | string)[];

/** The report as Markdown. Consecutive rows with the same columns form one table. */
export function textOf(report: Report): string {
  const blocks: (string | Row[])[] = [];
  const columns = (row: Row | undefined) => JSON.stringify(Object.keys(row ?? {}));
  for (const part of report) {
    const last = blocks.at(-1);
    if (typeof part === 'string') blocks.push(part);
    else if (Array.isArray(last) && columns(last[0]) === columns(part)) last.push(part);
    else blocks.push([part]);
  }
  return blocks.map((block) => (typeof block === 'string' ? block : tableOf(block))).join('\n\n');
}

/** The median; NaN if there are no figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** One measurement of a load as a line of the log. */
export const roundLine = (
  round: number,
  rounds: number,
  name: string,
  { perSecond, p50, p99, refused }: Readonly<Record<'perSecond' | 'p50' | 'p99' | 'refused', number>>,
) =>
  `round ${round}/${rounds}  ${name.padEnd(50)} ${Math.round(perSecond).toLocaleString('en-US').padStart(7)}/s` +
  `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`;

/** The rows as an aligned Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '';
  const columns = Object.keys(first);
  const widths = columns.map((column) =>
    Math.max(...[column, ...rows.map((row) => row[column] ?? '')].map((text) => text.length)),
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, n) => (n === 0 ? text.padEnd(widths[n] ?? 0) : text.padStart(widths[n] ?? 0))).join(' | ')} |`;
  // As Prettier formats it.
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))].join('\n');
}

/** Shows a progress bar on stderr if it is a terminal. */
export async function withBar<T>(
  text: string,
  total: number,
  make: (show: (done: number) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return make(() => undefined);
  const bar = new SingleBar({ format: '{text} [{bar}] {percentage} %', hideCursor: true, stream: process.stderr });
  bar.start(total, 0, { text });
  try {
    return await make((done) => bar.update(done));
  } finally {
    bar.stop();
  }
}

/** The handbook page with generated figures. */
const proofPage = new URL('../../content/handbook/proof.md', import.meta.url);

/**
 * Replaces a section of a page between `<!-- begin NAME -->` and `<!-- end NAME -->`. Throws if there is no such
 * section.
 */
export async function keepInProof(name: string, markdown: string, page: URL = proofPage): Promise<void> {
  const text = await readFile(page, 'utf8');
  const begin = `<!-- begin ${name} -->\n`;
  const from = text.indexOf(begin);
  const to = text.indexOf(`<!-- end ${name} -->`);
  if (from === -1 || to < from)
    throw new Error(
      `content/handbook/proof.md has no section “${name}”. Add <!-- begin ${name} --> and <!-- end ${name} --> where it belongs.`,
    );
  await writeFile(page, `${text.slice(0, from + begin.length)}\n${markdown.trim()}\n\n${text.slice(to)}`);
}

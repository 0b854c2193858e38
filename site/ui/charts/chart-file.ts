import type { Poll } from '#api/polls/polls.contract.ts';
import { chartSlices } from '#domain/poll-results.ts';
import type { ChartSlice } from '#domain/poll-results.ts';
import { isVotedHere } from '#domain/origin.ts';
import { isolated } from '#domain/visible-text.ts';
import { formatCount, formatLongDay, formatPercent } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';
import { resultTexts } from '#texts/shell.ts';
import type { ChartKind } from './kinds.ts';
import { fileColors as colors, patterns } from './palette.ts';
import { chartDescription, drawPie, svgElement } from './result-svg.ts';
import type { Drawing } from './result-svg.ts';
import { escapeSvg, short, wrapText } from './svg.ts';

const size = { width: 840, margin: 36, chart: 456, legend: 272, question: 26, text: 14, line: 19, bar: 16 } as const;

/**
 * The chart of a closed poll as an SVG file that explains itself: question, the chart with the whole answers, votes, and source. `host` is that of the public address.
 */
export function chartFile(
  poll: Pick<Poll, 'question' | 'options' | 'totalVotes' | 'closedAt' | 'endsAt' | 'origin'>,
  kind: ChartKind,
  { siteName, host }: { siteName: string; host: string },
): string {
  const slices = chartSlices(poll.options, poll.totalVotes, resultTexts.others);
  const inner = size.width - 2 * size.margin;
  // The serif that replaces Newsreader may be a tenth wider than the estimate.
  const title = wrapText(poll.question, inner / (size.question * 1.1), 4);
  const top = size.margin + title.length * (size.question * 1.2) + 14;
  const drawing = kind === 'pie' ? pieWithLegend(slices) : barsWithNames(slices, inner);
  const bottom = top + drawing.height + 22;
  const source = (isVotedHere(poll) ? texts.source : texts.importedSource)({
    votes: texts.votes(poll.totalVotes, formatCount(poll.totalVotes)),
    closed: formatLongDay(poll.closedAt ?? poll.endsAt),
    siteName,
    host,
  });
  const footer = wrapText(source, inner / size.text, 3);
  const height = bottom + footer.length * size.line + size.margin - 14;
  const elements = [
    `<path fill="${colors.paper}" d="M0 0H${size.width}V${short(height)}H0z"/>`,
    `<g font-family="Newsreader,Georgia,serif" font-size="${size.question}">${title.map((line, row) => `<text x="${size.margin}" y="${short(size.margin + 20 + row * size.question * 1.2)}">${escapeSvg(isolated(line))}</text>`).join('')}</g>`,
    poll.totalVotes === 0
      ? `<text x="${size.margin}" y="${short(top + 24)}" font-size="${size.text}">${escapeSvg(texts.nobody)}</text>`
      : `<g transform="translate(${size.margin} ${short(top)})" font-size="${size.text}">${drawing.elements}</g>`,
    `<g font-size="${size.text}" fill="${colors.muted}">${footer.map((line, row) => `<text x="${size.margin}" y="${short(bottom + 12 + row * size.line)}">${escapeSvg(line)}</text>`).join('')}</g>`,
  ].join('');
  return svgElement(
    { width: size.width, height, elements },
    `${poll.question} ${chartDescription(kind, slices)}`,
    ` width="${size.width}" height="${short(height)}" font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif" fill="${colors.ink}"`,
  );
}

/** A pie with its shares, and beside it the whole answers. */
function pieWithLegend(slices: readonly ChartSlice[]): Drawing {
  const drawing = drawPie(slices, colors);
  const scale = size.chart / drawing.width;
  const left = size.width - 2 * size.margin - size.legend;
  let y = 8;
  const legend = slices.map(({ text, color }, index) => {
    const lines = wrapText(text, (size.legend - 26) / size.text, 3);
    const swatch = patterns[index % patterns.length] === '' ? colors.result(color) : `url(#fill-${index})`;
    const entry = `<rect x="${left}" y="${y - 1}" width="16" height="14" fill="${swatch}"/>${lines.map((line, row) => `<text x="${left + 26}" y="${y + 11 + row * size.line}">${escapeSvg(isolated(line))}</text>`).join('')}`;
    y += lines.length * size.line + 8;
    return entry;
  });
  return {
    width: size.width,
    height: Math.max(drawing.height * scale, y),
    elements: `<g transform="scale(${scale})">${drawing.elements}</g>${legend.join('')}`,
  };
}

/** Bars relative to the longest, each with its whole answer above it and its share at its end. */
function barsWithNames(slices: readonly ChartSlice[], width: number): Drawing {
  const most = Math.max(1, ...slices.map(({ value }) => value));
  let y = 0;
  const rows = slices.map(({ text, value, percentage, color }) => {
    const lines = wrapText(text, width / size.text, 2);
    const names = lines.map((line, row) => `<text y="${y + 11 + row * size.line}">${escapeSvg(isolated(line))}</text>`);
    const top = y + lines.length * size.line - 2;
    const length = short((value / most) * (width - 60));
    y = top + size.bar + 14;
    return `${names.join('')}<rect y="${top}" width="${length}" height="${size.bar}" fill="${colors.result(color)}"/><text x="${short(length + 8)}" y="${top + 13}" font-weight="650">${formatPercent(percentage, 1)}</text>`;
  });
  return { width, height: y, elements: rows.join('') };
}

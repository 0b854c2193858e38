import type { Poll } from '#contract/poll.ts';
import { chartSlices } from '#domain/poll-results.ts';
import { isolated } from '#domain/visible-text.ts';
import { formatCount, formatLongDay } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';
import { resultTexts } from '#texts/shell.ts';
import type { ChartKind } from './kinds.ts';
import { fileColors as colors, patterns } from './palette.ts';
import { chartDescription, drawResult, svgElement } from './result-svg.ts';
import { escapeSvg, short, wrapText } from './svg.ts';

const size = { width: 840, margin: 36, chart: 456, legend: 272, question: 26, text: 14, line: 19 } as const;

/**
 * The chart of a closed poll as an SVG file that explains itself: question, chart, legend with the whole answers, votes,
 * and source. `host` is that of the public address.
 */
export function chartFile(
  poll: Pick<Poll, 'question' | 'options' | 'totalVotes' | 'closedAt' | 'endsAt'>,
  kind: ChartKind,
  { siteName, host }: { siteName: string; host: string },
): string {
  const slices = chartSlices(poll.options, poll.totalVotes, resultTexts.others);
  const inner = size.width - 2 * size.margin;
  // The serif that replaces Newsreader may be a tenth wider than the estimate.
  const title = wrapText(poll.question, inner / (size.question * 1.1), 4);
  const top = size.margin + title.length * (size.question * 1.2) + 14;
  const drawing = drawResult(kind, slices, colors);
  const scale = size.chart / drawing.width;

  let y = 8;
  const legend = slices.map((slice, index) => {
    const lines = wrapText(slice.text, (size.legend - 26) / size.text, 3);
    const swatch = patterns[index % patterns.length] === '' ? colors.result(slice.position) : `url(#fill-${index})`;
    const entry = `<rect y="${y - 1}" width="16" height="14" fill="${swatch}"/>${lines.map((line, row) => `<text x="26" y="${y + 11 + row * size.line}">${escapeSvg(isolated(line))}</text>`).join('')}`;
    y += lines.length * size.line + 8;
    return entry;
  });
  const bottom = top + Math.max(drawing.height * scale, y) + 22;
  const source = texts.source({
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
      : `<g transform="translate(${size.margin} ${short(top)}) scale(${scale})">${drawing.elements}</g>`,
    `<g transform="translate(${size.width - size.margin - size.legend} ${short(top)})" font-size="${size.text}">${legend.join('')}</g>`,
    `<g font-size="${size.text}" fill="${colors.muted}">${footer.map((line, row) => `<text x="${size.margin}" y="${short(bottom + 12 + row * size.line)}">${escapeSvg(line)}</text>`).join('')}</g>`,
  ].join('');
  return svgElement(
    { width: size.width, height, elements },
    `${poll.question} ${chartDescription(kind, slices)}`,
    ` width="${size.width}" height="${short(height)}" font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif" fill="${colors.ink}"`,
  );
}

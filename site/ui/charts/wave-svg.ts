import type { SeriesLine } from '#domain/series.ts';
import { hasSeveralOrigins, longGaps, noteNumbers } from '#domain/series.ts';
import type { Wave } from '#api/polls/topics/series.contract.ts';
import { isolated } from '#domain/visible-text.ts';
import { formatCount, formatDay, formatPercent } from '#site/ui/format.ts';
import { seriesTexts as texts } from '#texts/report.ts';
import type { DrawingColors } from './palette.ts';
import { spread } from './pie-layout.ts';
import type { Drawing } from './result-svg.ts';
import { escapeSvg, short, textWidth, wrapText } from './svg.ts';
import { dashes, shareAxis } from './time-svg.ts';
import type { Plot } from './time-svg.ts';

/** Units of the drawings of one chart, of which a page shows that which comes nearest to its size. */
export const waveWidths = [340, 600, 960] as const;

const font = 12;
const line = 15;
/** Room between the axis and the first wave, and after the last one. */
const inset = 14;
/** Beside the names: the dot with the space around it, and the share. */
const [dot, percent] = [14, 46];
/** Rows of dates below the axis; what has no room in them is only in the table. */
const dateRows = 3;

/**
 * Draws the share of each answer from wave to wave as lines, at distances of time: with whole names at their ends, the dates and
 * votes of the waves, the wave with the id `current` marked, and long times without a wave shaded. `width` in units of a pixel.
 */
export function drawWaves(
  waves: readonly Wave[],
  lines: readonly SeriesLine[],
  colors: DrawingColors,
  { width, current }: { readonly width: number; readonly current?: string | undefined },
): Drawing {
  const longest = Math.max(...lines.map(({ text }) => textWidth(text))) * font + font;
  const namesWidth = dot + percent + Math.min(200, width * 0.25, longest);
  const ends = endsOf(lines, namesWidth - dot - percent);
  const names = ends.reduce((sum, { height }) => sum + height, 0);
  const plot: Plot = { left: 34, right: width - namesWidth, top: 10, bottom: 10 + Math.max(190, width / 4, names) };
  const times = waves.map(({ closedAt }) => Date.parse(closedAt));
  const places = placesOf(times, plot);
  const axis = shareAxis(
    lines.flatMap(({ shares }) => shares.filter((share) => share !== null)),
    colors,
    plot,
  );
  const isMixed = hasSeveralOrigins(waves);
  const drawn = lines.map(({ shares, color: place }, index) => {
    const color = colors.result(place);
    const { points, path } = lineOf(shares, places, axis.y);
    const dots = points.map(({ wave, x, y }) => {
      const isHollow = isMixed && waves[wave]?.origin === 'imported';
      return `<circle cx="${x}" cy="${y}" r="3.5" fill="${isHollow ? colors.paper : color}" stroke="${color}" stroke-width="${isHollow ? 2 : 0}"/>`;
    });
    return `<path d="${path}" stroke="${color}"${dashes[index % dashes.length]}/>${dots.join('')}`;
  });
  const gaps = longGaps(times).map((index) => {
    const [from, to] = [places[index]!, places[index + 1]!];
    return `<rect x="${from}" y="${plot.top}" width="${short(to - from)}" height="${plot.bottom - plot.top}" fill="${colors.sunken}"/>`;
  });
  const marked = waves.findIndex(({ id }) => id === current);
  const mark =
    marked < 0
      ? ''
      : `<path d="M${places[marked]} ${plot.top}V${plot.bottom}" stroke="${colors.ink}" stroke-dasharray="2 3"/>`;
  const dates = datesOf(waves, places, marked, isMixed, plot, colors);
  const elements = [
    gaps.join(''),
    `<g font-size="${font}" fill="${colors.muted}">${axis.grid}</g>`,
    mark,
    `<g fill="none" stroke-width="2.2" stroke-linejoin="round">${drawn.reverse().join('')}</g>`,
    `<g font-size="${font}" fill="${colors.ink}">${namesOf(ends, axis.y, plot, colors)}${dates.elements}</g>`,
  ].join('');
  return { width, height: short(dates.bottom), elements };
}

/** A chart for a list of series: the line of the answer that led last, over those of the others, on a scale to 100%. */
export function drawSmallWaves(waves: readonly Wave[], lines: readonly SeriesLine[], colors: DrawingColors): Drawing {
  const plot: Plot = { left: 0, right: 320, top: 8, bottom: 100 };
  const places = placesOf(
    waves.map(({ closedAt }) => Date.parse(closedAt)),
    plot,
  );
  const y = (share: number) => short(plot.bottom - (share / 100) * (plot.bottom - plot.top));
  const [grid = '', drawn = ''] = [
    [0, 50, 100].map((share) => `<path d="M${plot.left} ${y(share)}H${plot.right}" stroke="${colors.hairline}"/>`),
    lines.map(({ shares }, index) => {
      const { points, path } = lineOf(shares, places, y);
      const stroke = index === 0 ? colors.result(0) : colors.muted;
      const last = points.at(-1);
      const end =
        index === 0 && last ? `<circle cx="${last.x}" cy="${last.y}" r="4" fill="${stroke}" stroke="none"/>` : '';
      return `<path d="${path}" stroke="${stroke}" stroke-width="${index === 0 ? 3 : 1.2}"/>${end}`;
    }),
  ].map((parts) => parts.toReversed().join(''));
  const elements = `${grid}<g fill="none" stroke-linejoin="round">${drawn}</g>`;
  return { width: plot.right, height: plot.bottom + 8, elements };
}

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const superscript = (value: number) => Array.from(String(value), (digit) => digits[Number(digit)]).join('');

/** The path of an answer’s shares, and its points; a wave that didn’t offer the answer interrupts it. */
function lineOf(shares: SeriesLine['shares'], places: readonly number[], y: (share: number) => number) {
  const points = shares.flatMap((share, wave) => (share === null ? [] : [{ wave, x: places[wave]!, y: y(share) }]));
  const path = points
    .map(({ wave, x, y: height }, at) => `${points[at - 1]?.wave === wave - 1 ? 'L' : 'M'}${x} ${height}`)
    .join('');
  return { points, path };
}

/** The x of each moment, in the order given. */
function placesOf(times: readonly number[], plot: Plot): number[] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const width = plot.right - plot.left - 2 * inset;
  return times.map((at) => short(plot.left + inset + ((at - first) / Math.max(1, last - first)) * width));
}

/** The end of a line: its whole name in lines, its last share or null if it ended earlier, and the share at which it ends. */
interface LineEnd {
  readonly lines: readonly string[];
  readonly height: number;
  readonly color: number | null;
  readonly share: number | null;
  readonly at: number;
}

function endsOf(lines: readonly SeriesLine[], width: number): LineEnd[] {
  const ends = lines.map(({ text, shares, color }) => {
    const wrapped = wrapText(text, width / font, Infinity);
    const at = shares.findLast((share) => share !== null) ?? 0;
    return { lines: wrapped, height: wrapped.length * line + 5, color, share: shares.at(-1) ?? null, at };
  });
  return ends.sort((a, b) => b.at - a.at);
}

function namesOf(ends: readonly LineEnd[], y: (share: number) => number, plot: Plot, colors: DrawingColors): string {
  const middles = spread(
    ends.map(({ at }) => y(at)),
    ends.map(({ height }) => height),
    plot.bottom,
  );
  return ends
    .map(({ lines, color, share }, index) => {
      const first = short((middles[index] ?? 0) - ((lines.length - 1) * line) / 2);
      const x = plot.right + dot;
      const name = lines.map((text, at) => {
        const place = `x="${x + percent}" y="${short(first + 4 + at * line)}"`;
        return `<text ${place}>${escapeSvg(isolated(text))}</text>`;
      });
      const figure = share === null ? texts.notOffered : formatPercent(share, 1);
      return `<circle cx="${plot.right + 5}" cy="${first}" r="4" fill="${colors.result(color)}"/><text x="${x}" y="${first + 4}" font-weight="650">${figure}</text>${name.join('')}`;
    })
    .join('');
}

interface Dates {
  readonly elements: string;
  /** Where they end. */
  readonly bottom: number;
}

/** The day and the votes of each wave below the axis, in as many rows as they need. */
function datesOf(
  waves: readonly Wave[],
  places: readonly number[],
  marked: number,
  isMixed: boolean,
  plot: Plot,
  colors: DrawingColors,
): Dates {
  const numbers = noteNumbers(waves);
  const labels = waves.map(({ closedAt, totalVotes, origin }, index) => {
    const number = numbers[index] ?? null;
    const rows = [
      number === null ? formatDay(closedAt) : `${formatDay(closedAt)} ${superscript(number)}`,
      texts.base(totalVotes, formatCount(totalVotes)),
      ...(isMixed ? [texts.origins[origin ?? 'here']] : []),
      ...(index === marked ? [texts.current] : []),
    ];
    const width = Math.max(...rows.map((row) => textWidth(row))) * font + 10;
    const x = Math.min(Math.max(places[index]!, width / 2), plot.right - width / 2 + 20);
    return { index, rows, from: x - width / 2, to: x + width / 2, x: short(x) };
  });
  // Those that matter most have a place first.
  const rank = ({ index }: { index: number }) =>
    index === marked ? 0 : index === waves.length - 1 ? 1 : index === 0 ? 2 : 3;
  const placed: (typeof labels)[] = [];
  for (const label of labels.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
    const isFree = (row: typeof labels) => row.every(({ from, to }) => label.to <= from || label.from >= to);
    const row = placed.find(isFree);
    if (row) row.push(label);
    else if (placed.length < dateRows) placed.push([label]);
  }
  let y = plot.bottom + 8;
  const rowElements = placed.map((row) => {
    const top = y;
    y += Math.max(...row.map(({ rows }) => rows.length)) * line + 8;
    const leaders = row.map(({ index, x }) => `M${places[index]} ${plot.bottom}V${top}L${x} ${top + 3}`).join('');
    const words = row.map(({ index, rows, x }) => {
      const weight = index === marked ? ' font-weight="650"' : '';
      return rows
        .map(
          (text, at) =>
            `<text x="${x}" y="${short(top + 15 + at * line)}" text-anchor="middle"${weight}>${escapeSvg(text)}</text>`,
        )
        .join('');
    });
    return { leaders, words: words.join('') };
  });
  const ticks = places.map((x) => `M${x} ${plot.bottom}v4`).join('');
  const elements = [
    `<path d="${ticks}${rowElements.map(({ leaders }) => leaders).join('')}" stroke="${colors.hairline}" fill="none"/>`,
    `<g paint-order="stroke" stroke="${colors.paper}" stroke-width="4" stroke-linejoin="round">${rowElements.map(({ words }) => words).join('')}</g>`,
  ].join('');
  return { elements, bottom: y };
}

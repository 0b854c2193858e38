import type { Poll, VotesOverTime } from '#api/polls/polls.contract.ts';
import type { ChartSlice } from '#domain/poll-results.ts';
import { isolated } from '#domain/visible-text.ts';
import { formatCount, formatDay, formatPercent } from '#site/ui/format.ts';
import type { DrawingColors } from './palette.ts';
import { pie, spread } from './pie-layout.ts';
import type { Drawing } from './result-svg.ts';
import { escapeSvg, short, textWidth } from './svg.ts';

/** A moment of a line chart: votes since the previous one, and the share of each slice in all votes so far, in percent. */
export interface TimePoint {
  /** When the period starts, in milliseconds. */
  readonly startsAt: number;
  readonly votes: number;
  readonly shares: readonly number[];
}

/** Votes over time in equal periods, from the first with votes to the last. */
export interface TimeSeries {
  /** Length of a period in milliseconds. */
  readonly step: number;
  readonly points: readonly TimePoint[];
}

/** Points of a line, beyond which periods are combined. */
const maxPoints = 60;

/** The periods of `every` milliseconds with the cumulative shares of the slices; several become one if there are many. */
export function timeSeries(
  periods: VotesOverTime['days'],
  every: number,
  options: Poll['options'],
  slices: readonly ChartSlice[],
): TimeSeries {
  const times = periods.map(({ startsAt }) => Date.parse(startsAt));
  const first = times[0] ?? 0;
  const count = periods.length === 0 ? 0 : Math.round(((times.at(-1) ?? 0) - first) / every) + 1;
  const combined = Math.max(1, Math.ceil(count / maxPoints));
  const step = combined * every;
  const own = new Map(
    slices.flatMap(({ position }, index) => (position === null ? [] : [[options[position]?.id, index]])),
  );
  const sums = slices.map(() => 0);
  const points = Array.from({ length: Math.ceil(count / combined) }, (_, index) => {
    const startsAt = first + index * step;
    let votes = 0;
    for (const [at, period] of periods.entries()) {
      if (times[at]! < startsAt || times[at]! >= startsAt + step) continue;
      for (const [id, cast] of Object.entries(period.votes)) {
        votes += cast;
        // An option without a slice of its own is in the last one.
        sums[own.get(id) ?? slices.length - 1]! += cast;
      }
    }
    const total = sums.reduce((sum, one) => sum + one, 0);
    return { startsAt, votes, shares: sums.map((sum) => (total === 0 ? 0 : (sum * 100) / total)) };
  });
  return { step, points };
}

const plot = {
  left: 34,
  right: 250,
  top: 8,
  bottom: 158,
  bars: 214,
  barHeight: 40,
  height: 236,
  label: 14,
} as const;

/** Where the lines of a chart are, in its own units. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The vertical scale of shares in percent, from 0, and its lines and labels. */
export function shareAxis(
  shares: readonly number[],
  colors: DrawingColors,
  { left, right, top: highest, bottom }: Plot,
): { readonly y: (share: number) => number; readonly grid: string } {
  const top = Math.max(10, Math.ceil(Math.max(0, ...shares) / 10) * 10);
  const y = (share: number) => short(bottom - (share / top) * (bottom - highest));
  const grid = [0, top / 2, top].map(
    (share) =>
      `<path d="M${left} ${y(share)}H${right}" stroke="${colors.hairline}"/><text x="${left - 5}" y="${y(share) + 4}" text-anchor="end">${short(share)}%</text>`,
  );
  return { y, grid: grid.join('') };
}

/** The end of a line: its name, and the share at which it ends. */
interface LineEnd {
  readonly name: string;
  readonly color: number | null;
  readonly share: number;
}

/** The names of lines beside their ends. */
function lineNames(lines: readonly LineEnd[], y: (share: number) => number, colors: DrawingColors): string {
  const ends = lines.toSorted((a, b) => b.share - a.share);
  const places = spread(
    ends.map(({ share }) => y(share)),
    ends.map(() => plot.label),
    plot.bars,
  );
  const names = ends.map(({ name, color, share }, index) => {
    const text = isolated(name);
    const room = pie.width - plot.right - 62;
    const squeezed = textWidth(text) * 12 > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';
    const baseline = short((places[index] ?? 0) + 4);
    return `<circle cx="${plot.right + 6}" cy="${short(places[index] ?? 0)}" r="4" fill="${colors.result(color)}"/><text x="${plot.right + 14}" y="${baseline}"${squeezed}>${escapeSvg(text)}</text><text x="${pie.width}" y="${baseline}" text-anchor="end" font-weight="650">${formatPercent(share, 1)}</text>`;
  });
  return names.join('');
}

/** Draws cumulative shares as lines with their names, and below them the votes of each period as bars. */
export function drawTime({ points, step }: TimeSeries, slices: readonly ChartSlice[], colors: DrawingColors): Drawing {
  const width = plot.right - plot.left;
  const slot = width / points.length;
  const x = (index: number) => short(plot.left + (index + 0.5) * slot);
  const { y, grid } = shareAxis(
    points.flatMap(({ shares }) => [...shares]),
    colors,
    plot,
  );
  const most = Math.max(1, ...points.map(({ votes }) => votes));

  const last = points.at(-1);
  const ends = slices.map(({ name, color }, index) => ({ name, color, share: last?.shares[index] ?? 0 }));
  const names = lineNames(ends, y, colors);
  const lines = slices.map((slice, index) => {
    const path = points.map(({ shares }, at) => `${x(at)} ${y(shares[index] ?? 0)}`).join('L');
    return `<path d="M${path}" stroke="${colors.result(slice.color)}"${dashes[index % dashes.length]}/>`;
  });
  const bars = points.map(({ votes }, index) => {
    const height = short((votes / most) * plot.barHeight);
    return votes === 0
      ? ''
      : `M${short(x(index) - slot * 0.4)} ${plot.bars}v-${height}h${short(slot * 0.8)}v${height}z`;
  });
  const elements = [
    `<g font-size="12" fill="${colors.muted}">${grid}<text x="${plot.left - 5}" y="${plot.bars - plot.barHeight + 8}" text-anchor="end">${compact(most)}</text>`,
    `<text x="${plot.left}" y="${plot.height - 6}">${moment(points[0]?.startsAt ?? 0, step)}</text><text x="${plot.right}" y="${plot.height - 6}" text-anchor="end">${moment(last?.startsAt ?? 0, step)}</text></g>`,
    `<path d="${bars.join('')}" fill="${colors.muted}"/>`,
    `<g fill="none" stroke-width="2.2" stroke-linejoin="round">${lines.reverse().join('')}</g>`,
    `<g font-size="12" fill="${colors.ink}">${names}</g>`,
  ].join('');
  return { width: pie.width, height: plot.height, elements };
}

/** Lines differ without color, too; the leading answer is solid. */
export const dashes = [
  '',
  ' stroke-dasharray="7 3"',
  ' stroke-dasharray="2 3"',
  ' stroke-dasharray="9 3 2 3"',
  ' stroke-dasharray="14 3"',
  ' stroke-dasharray="5 2 1 2 1 2"',
  ' stroke-dasharray="1 5"',
] as const;

const compactCounts = new Intl.NumberFormat('en-US', { notation: 'compact' });
const compact = (count: number) => (count < 10_000 ? formatCount(count) : compactCounts.format(count));

const hours = new Intl.DateTimeFormat('en-US', {
  ...({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
  ...({ hourCycle: 'h23', timeZone: 'UTC' } as const),
});

/** The start of a period in words: its day, or its hour if it is shorter than a day. */
export function moment(startsAt: number, step: number): string {
  return step < 86_400_000 ? hours.format(startsAt) : formatDay(new Date(startsAt).toISOString(), 'UTC');
}

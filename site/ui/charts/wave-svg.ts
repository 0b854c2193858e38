import type { SeriesLine } from '#domain/series.ts';
import { chartLabel } from '#domain/poll-results.ts';
import { formatDay } from '#site/ui/format.ts';
import type { DrawingColors } from './palette.ts';
import { pie } from './pie-layout.ts';
import type { Drawing } from './result-svg.ts';
import { short } from './svg.ts';
import { dashes, lineNames, plot, shareAxis } from './time-svg.ts';

const height = 190;
/** Room between the axis and the first wave, and after the last one. */
const inset = 12;

/** Draws the share of each answer from wave to wave as lines, at distances of time; `closedAt` in milliseconds, oldest first. */
export function drawWaves(closedAt: readonly number[], lines: readonly SeriesLine[], colors: DrawingColors): Drawing {
  const [first, last] = [closedAt[0] ?? 0, closedAt.at(-1) ?? 0];
  const width = plot.right - plot.left - 2 * inset;
  const places = closedAt.map((at) => short(plot.left + inset + ((at - first) / Math.max(1, last - first)) * width));
  const axis = shareAxis(
    lines.flatMap(({ shares }) => shares.filter((share) => share !== null)),
    colors,
  );
  const drawn = lines.map(({ shares, color: place }, index) => {
    const color = colors.result(place);
    const points = shares.flatMap((share, wave) =>
      share === null ? [] : [{ wave, x: places[wave]!, y: axis.y(share) }],
    );
    // A wave that didn’t offer the answer interrupts its line.
    const path = points
      .map(({ wave, x, y }, at) => `${points[at - 1]?.wave === wave - 1 ? 'L' : 'M'}${x} ${y}`)
      .join('');
    const dots = points.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="3" fill="${color}" stroke="none"/>`).join('');
    return `<path d="${path}" stroke="${color}"${dashes[index % dashes.length]}/>${dots}`;
  });
  const ends = lines.map(({ text, shares, color }) => {
    const share = shares.at(-1) ?? null;
    const at = shares.findLast((one) => one !== null) ?? 0;
    return { name: chartLabel(text), color, share, at };
  });
  const days = `<text x="${plot.left}" y="${height - 6}">${day(first)}</text><text x="${plot.right}" y="${height - 6}" text-anchor="end">${day(last)}</text>`;
  const ticks = places.map((x) => `M${x} ${plot.bottom}v5`).join('');
  const elements = [
    `<g font-size="12" fill="${colors.muted}">${axis.grid}${days}<path d="${ticks}" stroke="${colors.muted}"/></g>`,
    `<g fill="none" stroke-width="2.2" stroke-linejoin="round">${drawn.reverse().join('')}</g>`,
    `<g font-size="12" fill="${colors.ink}">${lineNames(ends, axis.y, plot.bottom + 6, colors)}</g>`,
  ].join('');
  return { width: pie.width, height, elements };
}

const day = (moment: number) => formatDay(new Date(moment).toISOString());

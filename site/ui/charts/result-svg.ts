import type { ChartSlice } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { chartTexts as texts } from '#texts/report.ts';
import type { ChartKind } from './kinds.ts';
import { patterns } from './palette.ts';
import type { DrawingColors } from './palette.ts';
import { pie, pieLayout, pointAt } from './pie-layout.ts';
import type { Wedge } from './pie-layout.ts';
import { escapeSvg, short } from './svg.ts';

/** A drawing: its size in its own units and its SVG elements. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly elements: string;
}

/** A drawing as an `svg` element with a text that describes it. */
export function svgElement({ width, height, elements }: Drawing, label: string, attributes = ''): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${short(width)} ${short(height)}" role="img" aria-label="${escapeSvg(label)}"${attributes}>${elements}</svg>`;
}

/** A chart in words: its kind and all slices with their shares. */
export function chartDescription(kind: ChartKind, slices: readonly ChartSlice[]): string {
  const parts = slices.map(({ text, percentage }) => texts.part(text, formatPercent(percentage, 1)));
  return texts.description(texts[kind], parts.join(', '));
}

const tooltip = ({ text, value, percentage }: ChartSlice) =>
  `<title>${escapeSvg(texts.tooltip(text, formatCount(value), formatPercent(percentage, 1)))}</title>`;

/** Fills of the slices, by their place in the drawing: the definitions of their patterns, and the paint of each. */
export function sliceFills(
  slices: readonly ChartSlice[],
  colors: DrawingColors,
): { definitions: string; fill: (index: number) => string } {
  const tiles = slices.map(({ color }, index) => {
    const path = patterns[index % patterns.length];
    return path === ''
      ? ''
      : `<pattern id="fill-${index}" width="10" height="10" patternUnits="userSpaceOnUse"><path fill="${colors.result(color)}" d="M0 0h10v10H0z"/><path stroke="${colors.paper}" stroke-width="1.2" opacity=".5" d="${path}"/></pattern>`;
  });
  return {
    definitions: tiles.join(''),
    fill: (index) => (tiles[index] === '' ? colors.result(slices[index]?.color ?? null) : `url(#fill-${index})`),
  };
}

/** Draws a result with votes as a pie with the shares, most votes first; a legend has the names. */
export function drawPie(slices: readonly ChartSlice[], colors: DrawingColors): Drawing {
  const { definitions, fill } = sliceFills(slices, colors);
  const wedges = pieLayout(slices);
  const shapes = wedges.map(
    (wedge) =>
      `<path fill="${fill(slices.indexOf(wedge.slice))}" d="${wedgePath(wedge, wedges.length === 1)}">${tooltip(wedge.slice)}</path>`,
  );
  const labels = wedges.map(({ slice, middle, label: { x, y, anchor } }) => {
    const at = `x="${short(x)}"${anchor === 'end' ? ' text-anchor="end"' : ''}`;
    const [lineX, lineY] = pointAt(middle, pie.radius + 2);
    const towards = short(anchor === 'end' ? x + 3 : x - 3);
    return [
      `<path d="M${short(lineX)} ${short(lineY)}L${towards} ${short(y)}" stroke="${colors.muted}" fill="none"/>`,
      `<text ${at} y="${short(y + 4)}" font-weight="650">${formatPercent(slice.percentage, 1)}</text>`,
    ].join('');
  });
  const elements = `${definitions}<g stroke="${colors.paper}" stroke-width="${wedges.length === 1 ? 0 : 2}">${shapes.join('')}</g><g font-size="${pie.font}" fill="${colors.ink}">${labels.join('')}</g>`;
  return { width: pie.width, height: pie.height, elements };
}

/** The outline of a wedge; all votes for one option are a full disc. */
function wedgePath({ from, to }: Wedge, isDisc: boolean): string {
  const r = pie.radius;
  if (isDisc) return `M${pie.x} ${pie.y - r}a${r} ${r} 0 1 1 -.1 0z`;
  const [startX, startY] = pointAt(from, r).map(short);
  const [endX, endY] = pointAt(to, r).map(short);
  return `M${pie.x} ${pie.y}L${startX} ${startY}A${r} ${r} 0 ${to - from > Math.PI ? 1 : 0} 1 ${endX} ${endY}z`;
}

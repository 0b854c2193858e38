import type { LineChart } from '#contract/blog.ts';
import { renderedTexts as texts } from '#texts/content-files.ts';
import { decimalsOf, numberWriter, placeOn, roundScale } from './chart-scale.ts';
import type { Scale } from './chart-scale.ts';
import { escapeHtml } from './html-text.ts';

/** Marks of the horizontal axis that have room beside each other on a telephone. */
const marksAtMost = 8;

type Series = LineChart['series'][number];

/**
 * The drawing of a line chart and its numbers as a table that opens. A line is made of straight pieces, because only
 * these can have their ends in per cent.
 */
export function lineChart(chart: LineChart, id: string): string {
  const { series, unit, xLabel } = chart;
  const xs = [...new Set(series.flatMap(({ data }) => data.map(([x]) => x)))].sort((a, b) => a - b);
  const ys = series.flatMap(({ data }) => data.map(([, y]) => y));
  const across: Scale = { from: xs[0] ?? 0, to: xs.at(-1) ?? 1, marks: xs };
  const up = roundScale(ys, 4);
  const percent = unit === '%' ? '%' : '';
  // Years have no thousands separator.
  const writeX = numberWriter(decimalsOf(xs), { grouping: !/\byears?\b/i.test(xLabel) });
  const writeY = numberWriter(decimalsOf(ys));
  const writeMark = numberWriter(decimalsOf(up.marks));
  const marks =
    xs.length <= marksAtMost ? xs : roundScale(xs, 4).marks.filter((x) => x >= across.from && x <= across.to);

  const height = (y: number) => round(100 - placeOn(up, y));
  const grid = up.marks.map((y) => {
    const label = `${writeMark(y)}${percent}`;
    return `<line class="chart__grid" x1="0" x2="100%" y1="${height(y)}%" y2="${height(y)}%" stroke="currentColor"/><text class="chart__mark" x="0" y="${height(y)}%" dx="-10" dy="4" text-anchor="end">${label}</text>`;
  });
  const feet = marks.map(
    (x) =>
      `<text class="chart__mark" x="${placeOn(across, x)}%" y="100%" dy="20" text-anchor="middle">${writeX(x)}</text>`,
  );
  const lines = series.map(
    (one, index) =>
      `<g class="chart__series chart__series--${index + 1}">${pieces(one, across, height)}${points(one, across, height, (y) => `${writeY(y)}${percent}`)}</g>`,
  );
  const legend =
    series.length > 1
      ? `<ul class="chart__legend">${series
          .map(
            ({ name }, index) =>
              `<li class="chart__series--${index + 1}"><svg width="28" height="12" aria-hidden="true"><line class="chart__line" x1="0" x2="100%" y1="50%" y2="50%" stroke="currentColor"/></svg>${escapeHtml(name)}</li>`,
          )
          .join('')}</ul>`
      : '';
  return [
    legend,
    unit === '%' ? '' : `<p class="chart__unit" aria-hidden="true">${escapeHtml(unit)}</p>`,
    '<div class="chart__frame">',
    `<svg class="chart__plot" width="100%" height="240" role="img" aria-labelledby="${id}">`,
    ...grid,
    ...feet,
    ...lines,
    '</svg>',
    `<p class="chart__axis" aria-hidden="true">${escapeHtml(xLabel)}</p>`,
    '</div>',
    numbersTable(chart, xs, { writeX, writeY: (y) => `${writeY(y)}${percent}` }),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function pieces({ data }: Series, across: Scale, height: (y: number) => number): string {
  return data
    .slice(1)
    .map(([x, y], index) => {
      const [fromX, fromY] = data[index] ?? [x, y];
      return `<line class="chart__line" x1="${placeOn(across, fromX)}%" y1="${height(fromY)}%" x2="${placeOn(across, x)}%" y2="${height(y)}%" stroke="currentColor"/>`;
    })
    .join('');
}

/** Points, the first and the last with their values; those between show theirs where there is room. */
function points({ data }: Series, across: Scale, height: (y: number) => number, write: (y: number) => string): string {
  const many = data.length > 2 * marksAtMost;
  return data
    .map(([x, y], index) => {
      const [first, last] = [index === 0, index === data.length - 1];
      const place = `${placeOn(across, x)}%`;
      const point = `<circle class="chart__fill" cx="${place}" cy="${height(y)}%" r="${many ? 2 : 4}" fill="currentColor"/>`;
      if (many && !first && !last) return point;
      // Where the line leaves upwards or arrives from above, the value stands below its point; not on the axis, though.
      const other = first ? data[index + 1]?.[1] : last ? data[index - 1]?.[1] : undefined;
      const below = other !== undefined && other > y && height(y) < 90;
      const between = first || last ? '' : ' chart__value--between';
      const anchor = first ? 'start' : last ? 'end' : 'middle';
      return `${point}<text class="chart__value${between}" x="${place}" y="${height(y)}%" dy="${below ? 21 : -11}" text-anchor="${anchor}">${write(y)}</text>`;
    })
    .join('');
}

function numbersTable(
  { series, xLabel, title }: LineChart,
  xs: readonly number[],
  { writeX, writeY }: { writeX: (x: number) => string; writeY: (y: number) => string },
): string {
  const heads = [xLabel, ...series.map(({ name }) => name)].map((name) => `<th scope="col">${escapeHtml(name)}</th>`);
  const rows = xs.map((x) => {
    const cells = series.map(({ data }) => {
      const y = data.find(([at]) => at === x)?.[1];
      return `<td>${y === undefined ? '' : writeY(y)}</td>`;
    });
    return `<tr><th scope="row">${writeX(x)}</th>${cells.join('')}</tr>`;
  });
  return `<details class="chart__numbers"><summary>${texts.numbers}</summary><table><caption class="visually-hidden">${escapeHtml(title)}</caption><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

const round = (value: number) => Math.round(value * 100) / 100;

import type { Chart, LineChart, RowsChart } from './blog.contract.ts';
import { renderedTexts as texts } from '#texts/content-files.ts';

/**
 * A chart as an HTML figure: title, drawing, a table of its numbers, note, and source. Classes define colors and sizes
 * (site/styles/charts.css); positions are percentages, so that the drawing fits any width at one font size. `number` is
 * the figure's number in its text, from 1.
 */
export function chartFigure(chart: Chart, number: number): string {
  const id = `figure-${number}`;
  const note = chart.note === undefined ? '' : `<span class="chart__note">${escapeHtml(chart.note)}</span> `;
  return [
    `<figure class="chart chart--${chart.type}" aria-labelledby="${id}">`,
    `<p class="chart__title" id="${id}">${escapeHtml(chart.title)}</p>`,
    chart.type === 'line' ? lineChart(chart, id) : rowsChart(chart, id),
    `<figcaption class="chart__caption">${note}<span class="chart__source">${texts.source} ${escapeHtml(chart.source)}</span></figcaption>`,
    '</figure>',
  ].join('\n');
}

/** Bars and dots are drawn in the rows of a table. */
function rowsChart(chart: RowsChart, id: string): string {
  const { data, unit } = chart;
  const values = data.map(([, value]) => value);
  const write = numberWriter(decimalsOf(values));
  const scale = scaleOf(chart, values);
  const groupStarts = findGroupStarts(data.map(([label]) => label));
  const rows = data.map(([label, value], index) => {
    const shown =
      unit === '%' ? `${write(value)}%` : `${write(value)}<span class="chart__unit"> ${escapeHtml(unit)}</span>`;
    return [
      `<tr${groupStarts.has(index) ? ' class="chart__begin"' : ''}>`,
      `<th scope="row">${escapeHtml(label)}</th>`,
      `<td>${chart.type === 'bars' ? bar(positionOn(scale, value)) : dot(positionOn(scale, value))}<span class="chart__value">${shown}</span></td>`,
      '</tr>',
    ].join('');
  });
  return [
    `<table class="chart__rows" aria-labelledby="${id}">`,
    `<thead class="visually-hidden"><tr><th scope="col">${texts.label}</th><th scope="col">${escapeHtml(texts.value(unit))}</th></tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody>`,
    '</table>',
  ].join('\n');
}

/** Starts at zero, so that a bar’s length is proportional to its value. Shares fill their bar at 100%. */
function scaleOf({ type, unit }: RowsChart, values: readonly number[]): Scale {
  if (type === 'dots') return roundScale(values, 4, { fromZero: true });
  return { from: 0, to: unit === '%' ? 100 : Math.max(...values) || 1, marks: [] };
}

const bar = (position: number) =>
  `<svg class="chart__bar" width="100%" height="14" aria-hidden="true"><rect class="chart__ground" width="100%" height="100%" fill="none"/><rect class="chart__fill" width="${position}%" height="100%" fill="currentColor"/></svg>`;

const dot = (position: number) =>
  `<svg class="chart__dot" width="100%" height="14" aria-hidden="true"><line class="chart__guide" x1="0" x2="100%" y1="50%" y2="50%" stroke="currentColor" stroke-dasharray="1 4"/><circle class="chart__fill" cx="${position}%" cy="50%" r="5.5" fill="currentColor"/></svg>`;

/** Rows that begin a group: labels are "group: answer" or "group, answer", and some groups have several rows. */
function findGroupStarts(labels: readonly string[]): ReadonlySet<number> {
  const groups = labels.map((label) => /^(.+?)[:,] /.exec(label)?.[1]);
  const known = new Set(groups);
  if (known.has(undefined) || known.size === groups.length || known.size === 1) return new Set();
  return new Set(groups.flatMap((group, index) => (index > 0 && group !== groups[index - 1] ? [index] : [])));
}

/** Marks of the horizontal axis that fit on a phone. */
const maxMarks = 8;

type Series = LineChart['series'][number];

/**
 * The drawing of a line chart and a collapsed table of its numbers. Lines consist of segments, because polylines can't
 * have percentage coordinates.
 */
function lineChart(chart: LineChart, id: string): string {
  const { series, unit, xLabel } = chart;
  const xs = [...new Set(series.flatMap(({ data }) => data.map(([x]) => x)))].sort((a, b) => a - b);
  const ys = series.flatMap(({ data }) => data.map(([, y]) => y));
  const xScale: Scale = { from: xs[0] ?? 0, to: xs.at(-1) ?? 1, marks: xs };
  const yScale = roundScale(ys, 4);
  const percent = unit === '%' ? '%' : '';
  // Years have no thousands separator.
  const writeX = numberWriter(decimalsOf(xs), { grouping: !/\byears?\b/i.test(xLabel) });
  const writeY = numberWriter(decimalsOf(ys));
  const writeMark = numberWriter(decimalsOf(yScale.marks));
  const marks = xs.length <= maxMarks ? xs : roundScale(xs, 4).marks.filter((x) => x >= xScale.from && x <= xScale.to);

  const toY = (y: number) => round(100 - positionOn(yScale, y));
  const grid = yScale.marks.map((y) => {
    const label = `${writeMark(y)}${percent}`;
    return `<line class="chart__grid" x1="0" x2="100%" y1="${toY(y)}%" y2="${toY(y)}%" stroke="currentColor"/><text class="chart__mark" x="0" y="${toY(y)}%" dx="-10" dy="4" text-anchor="end">${label}</text>`;
  });
  const xLabels = marks.map(
    (x) =>
      `<text class="chart__mark" x="${positionOn(xScale, x)}%" y="100%" dy="20" text-anchor="middle">${writeX(x)}</text>`,
  );
  const lines = series.map(
    (one, index) =>
      `<g class="chart__series chart__series--${index + 1}">${segments(one, xScale, toY)}${points(one, xScale, toY, (y) => `${writeY(y)}${percent}`)}</g>`,
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
    ...xLabels,
    ...lines,
    '</svg>',
    `<p class="chart__axis" aria-hidden="true">${escapeHtml(xLabel)}</p>`,
    '</div>',
    numbersTable(chart, xs, { writeX, writeY: (y) => `${writeY(y)}${percent}` }),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function segments({ data }: Series, xScale: Scale, toY: (y: number) => number): string {
  return data
    .slice(1)
    .map(([x, y], index) => {
      const [fromX, fromY] = data[index] ?? [x, y];
      return `<line class="chart__line" x1="${positionOn(xScale, fromX)}%" y1="${toY(fromY)}%" x2="${positionOn(xScale, x)}%" y2="${toY(y)}%" stroke="currentColor"/>`;
    })
    .join('');
}

/** Points with their values: the first and the last always, the others where there is room. */
function points({ data }: Series, xScale: Scale, toY: (y: number) => number, write: (y: number) => string): string {
  const many = data.length > 2 * maxMarks;
  return data
    .map(([x, y], index) => {
      const [first, last] = [index === 0, index === data.length - 1];
      const left = `${positionOn(xScale, x)}%`;
      const point = `<circle class="chart__fill" cx="${left}" cy="${toY(y)}%" r="${many ? 2 : 4}" fill="currentColor"/>`;
      if (many && !first && !last) return point;
      // Where the line goes up from the first point or comes down to the last, the value is below its point, except near the axis.
      const other = first ? data[index + 1]?.[1] : last ? data[index - 1]?.[1] : undefined;
      const below = other !== undefined && other > y && toY(y) < 90;
      const between = first || last ? '' : ' chart__value--between';
      const anchor = first ? 'start' : last ? 'end' : 'middle';
      return `${point}<text class="chart__value${between}" x="${left}" y="${toY(y)}%" dy="${below ? 21 : -11}" text-anchor="${anchor}">${write(y)}</text>`;
    })
    .join('');
}

function numbersTable(
  { series, xLabel, title }: LineChart,
  xs: readonly number[],
  { writeX, writeY }: { writeX: (x: number) => string; writeY: (y: number) => string },
): string {
  const headings = [xLabel, ...series.map(({ name }) => name)].map(
    (name) => `<th scope="col">${escapeHtml(name)}</th>`,
  );
  const rows = xs.map((x) => {
    const cells = series.map(({ data }) => {
      const y = data.find(([at]) => at === x)?.[1];
      return `<td>${y === undefined ? '' : writeY(y)}</td>`;
    });
    return `<tr><th scope="row">${writeX(x)}</th>${cells.join('')}</tr>`;
  });
  return `<details class="chart__numbers"><summary>${texts.numbers}</summary><table><caption class="visually-hidden">${escapeHtml(title)}</caption><thead><tr>${headings.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** A scale with round marks. */
interface Scale {
  readonly from: number;
  readonly to: number;
  readonly marks: readonly number[];
}

/** A scale of about `steps` round steps that contains all values; it begins at zero unless they are far above. */
export function roundScale(values: readonly number[], steps: number, { fromZero = false } = {}): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const start = fromZero || (low >= 0 && low < 0.4 * high) ? Math.min(0, low) : low;
  const raw = (high - start || Math.abs(high) || 1) / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10);
  const first = Math.floor(start / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Multiples of 0.1 are not exact in binary.
  const marks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { from: marks[0] ?? 0, to: marks.at(-1) ?? 1, marks };
}

/** The position of a value on a scale, in percent of its length, to two decimals. */
export function positionOn(scale: Scale, value: number): number {
  return Math.round(((value - scale.from) / (scale.to - scale.from)) * 10_000) / 100;
}

/** The most decimals that any of these numbers has. */
function decimalsOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

/** Formats numbers with the same decimals and thousands separators: 1,204 or 62.0. */
function numberWriter(decimals: number, { grouping = true } = {}): (value: number) => string {
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: grouping,
  });
  return (value) => format.format(value);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attribute values. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

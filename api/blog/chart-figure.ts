import type { Chart, RowsChart } from '#contract/blog.ts';
import { renderedTexts as texts } from '#texts/content-files.ts';
import { decimalsOf, numberWriter, placeOn, roundScale } from './chart-scale.ts';
import type { Scale } from './chart-scale.ts';
import { escapeHtml } from './html-text.ts';
import { lineChart } from './line-chart.ts';

/**
 * A chart as a figure: title, drawing, its numbers as a table, note and source. Colours and sizes come from classes
 * (site/styles/charts.css); places are in per cent, so that the drawing fits any width with letters of one size.
 * `number` counts the figures of a text, from 1.
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

/** Bars and dots stand in the rows of their table: the picture is the table. */
function rowsChart(chart: RowsChart, id: string): string {
  const { data, unit } = chart;
  const values = data.map(([, value]) => value);
  const write = numberWriter(decimalsOf(values));
  const scale = scaleOf(chart, values);
  const begins = groupBegins(data.map(([label]) => label));
  const rows = data.map(([label, value], index) => {
    const shown =
      unit === '%' ? `${write(value)}%` : `${write(value)}<span class="chart__unit"> ${escapeHtml(unit)}</span>`;
    return [
      `<tr${begins.has(index) ? ' class="chart__begin"' : ''}>`,
      `<th scope="row">${escapeHtml(label)}</th>`,
      `<td>${chart.type === 'bars' ? bar(placeOn(scale, value)) : dot(placeOn(scale, value))}<span class="chart__value">${shown}</span></td>`,
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

/** Always from nought: a bar's length is what it says. Shares fill their bar at 100%. */
function scaleOf({ type, unit }: RowsChart, values: readonly number[]): Scale {
  if (type === 'dots') return roundScale(values, 4, { fromNought: true });
  return { from: 0, to: unit === '%' ? 100 : Math.max(...values) || 1, marks: [] };
}

const bar = (place: number) =>
  `<svg class="chart__bar" width="100%" height="14" aria-hidden="true"><rect class="chart__ground" width="100%" height="100%" fill="none"/><rect class="chart__fill" width="${place}%" height="100%" fill="currentColor"/></svg>`;

const dot = (place: number) =>
  `<svg class="chart__dot" width="100%" height="14" aria-hidden="true"><line class="chart__guide" x1="0" x2="100%" y1="50%" y2="50%" stroke="currentColor" stroke-dasharray="1 4"/><circle class="chart__fill" cx="${place}%" cy="50%" r="5.5" fill="currentColor"/></svg>`;

/** Rows that begin a group: where labels are "group: answer" or "group, answer" and some groups have several rows. */
function groupBegins(labels: readonly string[]): ReadonlySet<number> {
  const groups = labels.map((label) => /^(.+?)[:,] /.exec(label)?.[1]);
  const known = new Set(groups);
  if (known.has(undefined) || known.size === groups.length || known.size === 1) return new Set();
  return new Set(groups.flatMap((group, index) => (index > 0 && group !== groups[index - 1] ? [index] : [])));
}

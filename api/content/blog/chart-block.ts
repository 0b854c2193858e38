import { lineChartSchema, rowsChartSchema } from './blog.contract.ts';
import type { Chart, LineChart, RowsChart } from './blog.contract.ts';
import { compileSchema } from '#platform/validation.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { blankFields, problemsFound, readYaml } from './content-file.ts';

/** Why a chart can't be drawn, and the line of the block (from 1) if known. */
export class ChartProblem extends Error {
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(message);
    this.line = line;
  }
}

const isRows = compileSchema<RowsChart>(rowsChartSchema, 'json');
const isLine = compileSchema<LineChart>(lineChartSchema, 'json');

/** Parses and validates the YAML of a chart block; throws a {@link ChartProblem}. */
export function readChart(text: string): Chart {
  const yaml = readYaml(text);
  if (!yaml.ok) throw new ChartProblem(texts.chart(yaml.why), yaml.line);
  const chart = yaml.value;
  if (typeof chart !== 'object' || chart === null || Array.isArray(chart)) throw new ChartProblem(texts.chartShape);
  const type = 'type' in chart ? chart.type : undefined;
  if (type !== 'bars' && type !== 'dots' && type !== 'line') throw new ChartProblem(texts.chartType);
  if (type === 'line' ? isLine(chart) : isRows(chart)) {
    if ('data' in chart) checkRows(chart as RowsChart);
    else checkLines(chart as LineChart);
    const [blank] = blankFields(chart);
    if (blank) throw new ChartProblem(texts.chartField(blank.field, blank.why));
    return chart as Chart;
  }
  const [{ field, why } = { field: '', why: '' }] = problemsFound(type === 'line' ? isLine.errors : isRows.errors);
  throw new ChartProblem(texts.chartField(field, why));
}

function checkRows({ unit, data }: RowsChart): void {
  if (unit === '%' && data.some(([, value]) => value > 100)) throw new ChartProblem(texts.chartOver100);
  const twice = data.find(([label], index) => data.findIndex(([other]) => other === label) !== index);
  if (twice) throw new ChartProblem(texts.chartLabels(twice[0]));
}

function checkLines({ series }: LineChart): void {
  if (new Set(series.map(({ name }) => name)).size < series.length) throw new ChartProblem(texts.chartNames);
  for (const { name, data } of series)
    if (data.some(([x], index) => x <= (data[index - 1]?.[0] ?? -Infinity)))
      throw new ChartProblem(texts.chartOrder(name));
}

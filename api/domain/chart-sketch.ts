/** The shape of a chart without its texts; positions in percent of its width or height, y from the top. */
export type ChartSketch =
  | { readonly type: 'bars' | 'dots'; readonly positions: readonly number[] }
  | { readonly type: 'line'; readonly lines: readonly (readonly Segment[])[] };

type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

/** The shape of the first chart in an article’s HTML, as its figure is written; null without a chart. */
export function chartSketch(html: string): ChartSketch | null {
  const [figure = '', type] = /<figure class="chart chart--(bars|dots|line)".*?<\/figure>/s.exec(html) ?? [];
  if (type === undefined) return null;
  if (type === 'line') {
    const groups = [...figure.matchAll(/<g class="chart__series[^"]*">(.*?)<\/g>/gs)];
    return { type, lines: groups.map(([, group = '']) => segmentsOf(group)) };
  }
  const marks = [...figure.matchAll(/class="chart__fill" (?:width|cx)="([\d.]+)%"/g)];
  return { type: type === 'dots' ? type : 'bars', positions: marks.map(([, position]) => Number(position)) };
}

function segmentsOf(group: string): Segment[] {
  const segments = group.matchAll(/x1="([\d.-]+)%" y1="([\d.-]+)%" x2="([\d.-]+)%" y2="([\d.-]+)%"/g);
  return [...segments].map(([, x1, y1, x2, y2]) => [Number(x1), Number(y1), Number(x2), Number(y2)]);
}

import { expect, test } from 'vitest';
import { readChart } from './chart-block.ts';
import { chartSketch } from '#domain/chart-sketch.ts';
import { chartFigure, positionOn, roundScale } from './chart-figure.ts';

const frame = 'title: A <title>\nunit: "%"\nsource: Somebody & co\n';
const draw = (yaml: string) => chartFigure(readChart(yaml), 1);
const rows = (data: string, unit = '"%"') => `type: bars\n${frame.replace('"%"', unit)}data:\n${data}`;

test('bars of shares are proportional to 100%', () => {
  const html = draw(rows('  - [Park, 62.0]\n  - ["Street: all", 7.5]'));
  expect([...html.matchAll(/chart__fill" width="([\d.]+)%"/g)].map(([, width]) => width)).toEqual(['62', '7.5']);
  expect(html).toContain('<th scope="row">Street: all</th>');
  expect(html).toContain('>62.0%</span>');
  expect(html).toContain('>7.5%</span>');
});

test('bars of counts are proportional to the largest, with thousands separators and the unit', () => {
  const html = draw(rows('  - [A, 1200]\n  - [B, 300]\n  - [C, 0]', 'votes'));
  expect([...html.matchAll(/chart__fill" width="([\d.]+)%"/g)].map(([, width]) => width)).toEqual(['100', '25', '0']);
  expect(html).toContain('1,200<span class="chart__unit"> votes</span>');
});

test('a chart shows title, source, and note as escaped text', () => {
  const html = draw(`${rows('  - [<b>A</b>, 1]\n  - [B, 2]')}\nnote: '5 < 6'`);
  expect(html).toContain('aria-labelledby="figure-1"');
  expect(html).toContain('id="figure-1">A &lt;title&gt;</p>');
  expect(html).toContain('Source: Somebody &amp; co');
  expect(html).toContain('5 &lt; 6');
  expect(html).toContain('&lt;b&gt;A&lt;/b&gt;');
  expect(html).not.toContain('style=');
});

test('rows are grouped by their labels', () => {
  const begins = (data: string) => [...draw(rows(data)).matchAll(/<tr class="chart__begin"><th scope="row">([^<]*)/g)];
  expect(
    begins('  - ["Two: yes", 1]\n  - ["Two: no", 2]\n  - ["Three: yes", 3]\n  - ["Three: no", 4]').map(
      ([, row]) => row,
    ),
  ).toEqual(['Three: yes']);
  expect(begins('  - ["Yes, one Sunday", 1]\n  - [Only in summer, 2]')).toEqual([]);
});

const line = (data: string) => `type: line\n${frame}xLabel: Years since\nseries:\n  - name: Share\n    data:\n${data}`;

test('a line chart has its points, a labeled scale, and a table of its numbers', () => {
  const html = draw(line('      - [1900, 50]\n      - [1950, 54.8]\n      - [2000, 47.2]'));
  expect(
    [...html.matchAll(/chart__line" x1="([\d.]+)%" y1="[\d.]+%" x2="([\d.]+)%"/g)].map(([, a, b]) => [a, b]),
  ).toEqual([
    ['0', '50'],
    ['50', '100'],
  ]);
  expect([...html.matchAll(/chart__mark" x="0"[^>]*>([^<]*)/g)].map(([, mark]) => mark)).toEqual([
    ...['46%', '48%', '50%', '52%', '54%', '56%'],
  ]);
  expect(html).toContain('<tr><th scope="row">1950</th><td>54.8%</td></tr>');
  expect(html).toContain('role="img" aria-labelledby="figure-1"');
});

test('several lines have a legend and share the rows of one table', () => {
  const html = draw(
    `${line('      - [1, 10]\n      - [2, 20]')}\n  - name: Other\n    data:\n      - [2, 30]\n      - [3, 40]`,
  );
  expect(html).toContain('<li class="chart__series--2">');
  expect(html).toContain('<tr><th scope="row">1</th><td>10%</td><td></td></tr>');
  expect(html).toContain('<tr><th scope="row">3</th><td></td><td>40%</td></tr>');
});

test.each([
  ['no type', frame, 'a chart needs a type'],
  ['a share over 100', rows('  - [A, 101]\n  - [B, 2]'), 'values over 100%'],
  ['a negative value', rows('  - [A, -1]\n  - [B, 2]'), 'chart, data.1.2: must be 0 or more'],
  ['a text for a value', rows('  - [A, many]\n  - [B, 2]'), 'chart, data.1.2: must be a number'],
  ['one row', rows('  - [A, 1]'), 'chart, data: must have 2 or more entries'],
  ['the same label twice', rows('  - [A, 1]\n  - [A, 2]'), 'two rows have the label “A”'],
  ['x that goes back', line('      - [2, 1]\n      - [1, 2]'), 'each x must be greater'],
  ['a label that nobody can see', rows('  - [A, 1]\n  - ["\\u200B", 2]'), 'chart, data.2.1: is blank'],
  ['an unknown field', `${rows('  - [A, 1]\n  - [B, 2]')}\ncolour: red`, 'chart, colour: is not a known field'],
])('%s is refused', (_, yaml, reason) => {
  expect(() => readChart(yaml)).toThrow(reason);
});

test('scales have round steps, contain every value, and begin at zero unless the values are far above', () => {
  expect(roundScale([47.1, 55], 4)).toEqual({ from: 46, to: 56, marks: [46, 48, 50, 52, 54, 56] });
  expect(roundScale([30, 81.1], 4).marks).toEqual([0, 25, 50, 75, 100]);
  expect(roundScale([0.6, 75.4], 4, { fromZero: true }).to).toBe(80);
  expect(roundScale([0, 0], 4).to).toBeGreaterThan(0);
  expect(roundScale([-3, 5], 4).from).toBeLessThanOrEqual(-3);
  expect(roundScale([0.1, 0.3], 4).marks).toContain(0.3);
  expect(positionOn({ from: 20, to: 60, marks: [] }, 30)).toBe(25);
});

test('the shape of a chart is read from an article’s first figure', () => {
  const given = { title: 'How many', unit: '%', source: 'A count' };
  const bars = chartFigure(
    {
      ...given,
      type: 'bars',
      data: [
        ['Tea', 25],
        ['Coffee', 50],
      ],
    },
    1,
  );
  const dots = chartFigure(
    {
      ...given,
      type: 'dots',
      data: [
        ['Tea', 10],
        ['Coffee', 40],
      ],
    },
    2,
  );
  expect(chartSketch(`<p>Text</p>${bars}<p>Text</p>${dots}`)).toEqual({ type: 'bars', positions: [25, 50] });
  expect(chartSketch(dots)).toEqual({ type: 'dots', positions: [25, 100] });
  const line = (name: string, ...values: number[]) => ({ name, data: values.map((y, x): [number, number] => [x, y]) });
  const series = [line('Tea', 0, 20, 40), line('Coffee', 40, 0, 0)];
  expect(chartSketch(chartFigure({ ...given, type: 'line', xLabel: 'Day', series }, 1))).toEqual({
    type: 'line',
    lines: [
      [
        [0, 100, 50, 50],
        [50, 50, 100, 0],
      ],
      [
        [0, 0, 50, 100],
        [50, 100, 100, 100],
      ],
    ],
  });
  expect(chartSketch('<figure class="photo"></figure>')).toBeNull();
});

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChartConfiguration } from 'chart.js';

const drawn: ChartConfiguration[] = [];
const destroyed = vi.fn();

// happy-dom has no canvas, so these tests check the calls that draw the chart.
vi.mock('chart.js', () => {
  class Chart {
    static readonly register = () => undefined;
    readonly destroy = destroyed;
    constructor(_: unknown, config: ChartConfiguration) {
      drawn.push(config);
    }
  }
  const part = {};
  return {
    Chart,
    ArcElement: part,
    BarController: part,
    BarElement: part,
    CategoryScale: part,
    LinearScale: part,
    PieController: part,
    Tooltip: part,
  };
});
const { default: ResultsChart } = await import('./ResultsChart.island.tsx');

const slices = [
  { text: 'Strict rules before release', name: 'Strict rules be…', value: 600, percentage: 60, position: 0 },
  { text: 'No rules', name: 'No rules', value: 400, percentage: 40, position: 1 },
];

beforeEach(() => {
  drawn.length = 0;
  destroyed.mockReset();
});
afterEach(cleanup);

test('[S2.45 S9.2] a pie is drawn first, without animation, and described in words', () => {
  render(<ResultsChart slices={slices} path="/poll/rules" />);
  expect(drawn).toHaveLength(1);
  expect(drawn[0]).toMatchObject({ type: 'pie', data: { labels: ['Strict rules be…', 'No rules'] } });
  expect(drawn[0]!.options!.animation).toBe(false);
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'Pie chart: Strict rules before release 60.0%, No rules 40.0%. All figures are in the table above.',
  );
});

test('[S2.45 S9.2] the toggle switches to bars and shows which chart is selected', () => {
  render(<ResultsChart slices={slices} path="/poll/rules" />);
  fireEvent.click(screen.getByRole('button', { name: 'Bar' }));
  expect(screen.getByRole('button', { name: 'Bar', pressed: true })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Pie', pressed: false })).toBeTruthy();
  expect(drawn.map(({ type }) => type as string)).toEqual(['pie', 'bar']);
  expect(destroyed).toHaveBeenCalledTimes(1);
});

test('the chart is redrawn in the colors of the new theme', () => {
  render(<ResultsChart slices={slices} path="/poll/rules" />);
  act(() => void document.dispatchEvent(new Event('themechange')));
  expect(drawn).toHaveLength(2);
});

test('the downloaded file shows the chart that is shown', () => {
  render(<ResultsChart slices={slices} path="/poll/rules" />);
  const file = () => screen.getByRole('link', { name: 'SVG' }).getAttribute('href');
  expect(file()).toBe('/poll/rules.svg');
  fireEvent.click(screen.getByRole('button', { name: 'Bar' }));
  expect(file()).toBe('/poll/rules.svg?chart=bar');
});

test('a browser that cannot draw the PNG says so and names the other file', async () => {
  vi.stubGlobal(
    'Image',
    class {
      decode = () => Promise.reject(new Error('no picture'));
    },
  );
  render(<ResultsChart slices={slices} path="/poll/rules" />);
  fireEvent.click(screen.getByRole('button', { name: 'PNG' }));
  expect(await screen.findByText(/Please download the SVG instead/)).toBeTruthy();
  vi.unstubAllGlobals();
});

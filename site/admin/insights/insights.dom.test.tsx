import { cleanup, render, screen, within } from '@testing-library/react';
import type { ChartConfiguration } from 'chart.js';
import { afterEach, expect, test, vi } from 'vitest';
import type { Insights } from '#api/admin/insights/insights.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { InsightFigures } from './InsightFigures.tsx';
import { votesByDay, votesByHour } from './insight-figures.ts';
import { PollInsights } from './PollInsights.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const drawn: ChartConfiguration[] = [];
// happy-dom has no canvas: what is drawn is checked.
vi.mock('chart.js', () => {
  class Chart {
    static readonly register = () => undefined;
    readonly destroy = () => undefined;
    constructor(_: unknown, config: ChartConfiguration) {
      drawn.push(config);
    }
  }
  const part = {};
  return { Chart, BarController: part, BarElement: part, CategoryScale: part, LinearScale: part, Tooltip: part };
});

afterEach(() => {
  drawn.length = 0;
  cleanup();
  queryClient().clear();
  vi.unstubAllGlobals();
});

const insights: Insights = {
  ...{ question: 'Tea?', received: 12, counted: 10, imported: 0, days: [] },
  hours: [
    { startsAt: '2026-11-20T23:00:00.000Z', votes: 3 },
    { startsAt: '2026-11-21T04:00:00.000Z', votes: 1 },
    { startsAt: '2026-11-22T23:00:00.000Z', votes: 8 },
  ],
  hosts: [
    { label: 'news.example', count: 7 },
    { label: '(none)', count: 5 },
  ],
  shares: [{ label: 'copy', count: 2 }],
  embeds: [],
};

test('days and hours are those of the operator’s time zone, and days without votes are shown', () => {
  expect(votesByDay(insights, 'Europe/Berlin')).toEqual([
    { name: '2026-11-21', votes: 4 },
    { name: '2026-11-22', votes: 0 },
    { name: '2026-11-23', votes: 8 },
  ]);
  expect(votesByDay(insights, 'America/New_York').map(({ name }) => name)).toEqual([
    ...['2026-11-20', '2026-11-21', '2026-11-22'],
  ]);
  const hours = votesByHour(insights, 'Europe/Berlin');
  expect([hours.length, hours[0], hours[5]]).toEqual([24, { name: '00:00', votes: 11 }, { name: '05:00', votes: 1 }]);
  expect([votesByDay({ hours: [], days: [] }, 'UTC'), votesByHour({ hours: [] }, 'UTC')]).toEqual([[], []]);
});

test('each chart has its numbers as a table, and hosts have names that people understand', async () => {
  render(<InsightFigures insights={insights} timeZone="Europe/Berlin" level={3} />);
  expect(await screen.findByRole('img', { name: 'Votes by day, at most 8' })).toBeTruthy();
  expect(drawn[0]!.data).toMatchObject({
    labels: ['Nov 21, 2026', 'Nov 22, 2026', 'Nov 23, 2026'],
    datasets: [{ data: [4, 0, 8] }],
  });
  const days = within(screen.getByRole('table', { name: 'Votes by day', hidden: true }));
  expect(days.getAllByRole('row', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    ...['DayVotes', 'Nov 21, 20264', 'Nov 22, 20260', 'Nov 23, 20268'],
  ]);
  const hosts = within(screen.getByRole('table', { name: 'Votes by referring site' }));
  expect(hosts.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    ...['SiteNumber', 'news.example7', 'Direct or unknown5'],
  ]);
  expect(screen.getByText('Times are in Europe/Berlin.')).toBeTruthy();
  expect(screen.getAllByText('None yet')).toHaveLength(1);
});

test('of an old poll only the days are shown, with the reason', async () => {
  const old = { ...insights, hours: [], days: [{ day: '2025-01-05', votes: 10 }] };
  render(<InsightFigures insights={old} timeZone="Europe/Berlin" level={4} />);
  expect(screen.getByText(/The hours of these votes were erased/)).toBeTruthy();
  expect(screen.queryByText('Votes by hour of the day')).toBeNull();
  expect(await screen.findByRole('img', { name: 'Votes by day, at most 10' })).toBeTruthy();
});

test('the insights of a poll are requested for it', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(insights));
  });
  render(<PollInsights pollId="tea" />);
  expect((await screen.findByText('Received votes')).nextSibling?.textContent).toBe('12');
  expect(screen.getByText('Tea?')).toBeTruthy();
  expect(asked).toEqual(['/api/admin/polls/tea/insights']);
});

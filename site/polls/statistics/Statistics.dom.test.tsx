import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStatistics } from '#site/client/live-statistics.ts';
import { HeroFigures, StatCards } from './Statistics.tsx';

const published = { totalVotes: 1_204_331, importedVotes: 0, totalParticipants: 48_123, totalPolls: 276 };
const live = { totalVotes: 1_204_332, importedVotes: 0, totalParticipants: 48_124, totalPolls: 277 };
let requests: number;
let answer: () => Promise<Response>;

beforeEach(() => {
  requests = 0;
  answer = () => Promise.resolve(Response.json(live));
  vi.stubGlobal('fetch', () => {
    requests++;
    return answer();
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (statistics = published) =>
  render(
    <>
      <HeroFigures statistics={statistics} />
      <StatCards statistics={statistics} />
    </>,
  );

test('[S2.18 S2.19] the figures are first those of the published page, then live, fetched once for hero and cards', async () => {
  show();
  for (const figure of ['1,204,331', '48,123', '276']) expect(screen.getAllByText(figure)).toHaveLength(2);
  await watchStatistics();
  for (const figure of ['1,204,332', '48,124', '277']) expect(screen.getAllByText(figure)).toHaveLength(2);
  expect(requests).toBe(1);
  for (const text of [
    'Total Votes',
    'across all polls',
    'Total Participants',
    'unique voters',
    'Total Polls',
    'active and historical',
  ])
    expect(screen.getByText(text)).toBeTruthy();
});

test('[D3.4] if imports added votes without voters, the participants card explains it, and the hero omits a zero', async () => {
  show({ totalVotes: 5_000, importedVotes: 5_000, totalParticipants: 0, totalPolls: 3 });
  expect(screen.getByText('browsers that have voted here')).toBeTruthy();
  const participants = () => screen.getByText(/^participants?$/).parentElement!;
  expect(participants().hidden).toBe(true);
  expect(screen.getByText('votes cast')).toBeTruthy();
  answer = () => Promise.resolve(Response.json({ ...live, totalParticipants: 1 }));
  await watchStatistics();
  expect([participants().hidden, participants().textContent]).toEqual([false, 'participant1']);
});

test('the hero shows no figures before there are polls that count, and no participants without votes', async () => {
  const demonstration = { totalVotes: 0, importedVotes: 0, totalParticipants: 1, totalPolls: 0 };
  render(<HeroFigures statistics={demonstration} />);
  const shown = () => [...document.querySelectorAll('dl > div:not([hidden])')].map(({ textContent }) => textContent);
  expect(shown()).toEqual([]);
  answer = () => Promise.resolve(Response.json({ ...demonstration, totalPolls: 1 }));
  await watchStatistics();
  expect(shown()).toEqual(['votes cast0', 'poll1']);
  answer = () => Promise.resolve(Response.json({ ...demonstration, totalPolls: 1, totalVotes: 1 }));
  await watchStatistics();
  expect(shown()).toEqual(['vote cast1', 'participant1', 'poll1']);
});

test('[S8.16] figures that can’t be loaded stay, say so, and can be retried', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  show();
  expect(screen.queryByRole('alert')).toBeNull();
  await watchStatistics();
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch statistics');
  expect(screen.getAllByText('1,204,331')).toHaveLength(2);
  answer = () => Promise.resolve(Response.json(live));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getAllByText('1,204,332')).toHaveLength(2);
});

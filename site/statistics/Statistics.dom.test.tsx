import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { HeroFigures, StatCards } from './Statistics.island.tsx';

const published = { totalVotes: 1_204_331, importedVotes: 0, totalParticipants: 48_123, totalPolls: 276 };
const live = { totalVotes: 1_204_332, importedVotes: 0, totalParticipants: 48_124, totalPolls: 277 };
let requests: number;
let answer: () => Promise<Response>;

beforeEach(() => {
  queryClient().clear();
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

const show = () =>
  render(
    <>
      <HeroFigures statistics={published} publishedAt="2026-11-20T08:00:00.000Z" />
      <StatCards statistics={published} publishedAt="2026-11-20T08:00:00.000Z" />
    </>,
  );

test('[S2.18 S2.19] the figures are first those of the published page, then live, fetched once for hero and cards', async () => {
  show();
  for (const figure of ['1,204,331', '48,123', '276']) expect(screen.getAllByText(figure)).toHaveLength(2);
  await waitFor(() => expect(screen.getAllByText('1,204,332')).toHaveLength(2));
  for (const figure of ['48,124', '277']) expect(screen.getAllByText(figure)).toHaveLength(2);
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

test('[D3.4] if imports added votes without voters, the participants card says so, and the hero omits a zero', () => {
  answer = () => new Promise<never>(() => undefined);
  const imported = { totalVotes: 5_000, importedVotes: 5_000, totalParticipants: 0, totalPolls: 3 };
  render(
    <>
      <HeroFigures statistics={imported} publishedAt="2026-11-20T08:00:00.000Z" />
      <StatCards statistics={imported} publishedAt="2026-11-20T08:00:00.000Z" />
    </>,
  );
  expect(screen.getByText('unique voters on this site; imported polls add votes only')).toBeTruthy();
  expect(screen.queryByText('participants')).toBeNull();
  expect(screen.getByText('votes cast')).toBeTruthy();
});

test('[S8.16] figures that can’t be loaded stay, say so, and can be retried', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  show();
  await waitFor(() => expect(screen.getByText('Failed to fetch statistics')).toBeTruthy());
  expect(screen.getAllByText('1,204,331')).toHaveLength(2);
  answer = () => Promise.resolve(Response.json(live));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Failed to fetch statistics')).toBeNull());
  expect(screen.getAllByText('1,204,332')).toHaveLength(2);
});

test('a late island hydrates with the published figures before it shows live ones', async () => {
  const cards = <StatCards statistics={published} publishedAt="2026-11-20T08:00:00.000Z" />;
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(cards);
  render(<HeroFigures statistics={published} publishedAt="2026-11-20T08:00:00.000Z" />);
  await screen.findByText('1,204,332');
  const problems: unknown[] = [];
  render(cards, { container: place, hydrate: true, onRecoverableError: (error) => problems.push(error) });
  expect(problems).toEqual([]);
  expect(within(place).getByText('1,204,332')).toBeTruthy();
  place.remove();
});

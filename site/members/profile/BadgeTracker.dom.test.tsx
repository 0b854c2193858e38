import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import BadgeTracker from './BadgeTracker.island.tsx';
import { tracker } from './fixtures/member-data.ts';
import { unavailable, clearAccountHint, setAccountHint, stubProfileApi } from './fixtures/profile-api.ts';
import type { ProfileApi } from './fixtures/profile-api.ts';

let api: ProfileApi;
beforeEach(() => {
  api = stubProfileApi();
  setAccountHint();
  history.replaceState(null, '', '/profile/badges');
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  clearAccountHint();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const loaded = () => waitFor(() => expect(screen.getByText(/^\d+ of 54 badges earned$/)).toBeTruthy());
const tabs = () => screen.getAllByRole('tab');
const selected = () => tabs().filter((tab) => tab.getAttribute('aria-selected') === 'true');
const cards = () => [...screen.getByRole('tabpanel').querySelectorAll('li')].map(({ textContent }) => textContent);
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

test('[S2.117] guests are asked to sign in', async () => {
  clearAccountHint();
  render(<BadgeTracker />);
  await waitFor(() => expect(screen.getByText('You need to sign in to view your profile.')).toBeTruthy());
  expect(api.requests).toEqual([]);
});

test('[S2.118] the earned share is shown overall and per category', async () => {
  api.tracker = tracker({ votes_1: 1, votes_10: 1, polls_1: 2, leap_day: 3 });
  render(<BadgeTracker />);
  await loaded();
  expect(screen.getByText('4 of 54 badges earned').parentElement?.textContent).toBe('4 of 54 badges earned 7%');
  expect(tabs().map(({ textContent }) => textContent)).toEqual([
    'Voting2 of 922%',
    'Creator1 of 812%',
    'Activity0 of 100%',
    'Community0 of 70%',
    'Fun0 of 100%',
  ]);
});

test('[S2.120] a card shows when its badge was earned, or its progress', async () => {
  api.tracker = tracker({ votes_1: 1 }, { votes_10: 4, votes_500: 499 });
  render(<BadgeTracker />);
  await loaded();
  expect(cards()).toHaveLength(9);
  expect(cards().slice(0, 4)).toEqual([
    'Light AirThe first breath of an opinion, and the vane has moved.Cast 1 voteEarned Nov 20, 2026',
    'Fresh BreezeTen answers in, and the leaves are rustling.Cast 10 votes4/1040%6 more needed',
    'Full GaleA hundred answers: hold on to your hat.Cast 100 votes0/1000%100 more needed',
    'Hurricane ForceThe Beaufort scale ends here, but you don’t have to.Cast 500 votes499/50099%1 more needed',
  ]);
});

test('[S2.119] voting is shown first, and the keyboard moves between tabs', async () => {
  render(<BadgeTracker />);
  await loaded();
  expect(selected()).toEqual([tabs()[0]]);
  tabs()[0]!.focus();
  press('ArrowRight');
  expect([selected()[0], document.activeElement]).toEqual([tabs()[1], tabs()[1]]);
  expect(location.hash).toBe('#creator');
  expect(cards()).toHaveLength(8);
  press('End');
  expect(selected()).toEqual([tabs()[4]]);
  press('ArrowRight');
  expect(selected()).toEqual([tabs()[0]]);
  press('ArrowLeft');
  expect(selected()).toEqual([tabs()[4]]);
  press('Home');
  expect(selected()).toEqual([tabs()[0]]);
  expect(tabs().map((tab) => tab.tabIndex)).toEqual([0, -1, -1, -1, -1]);
});

test('a URL opens its category', async () => {
  history.replaceState(null, '', '/profile/badges#community');
  render(<BadgeTracker />);
  await loaded();
  expect(selected()).toEqual([tabs()[3]]);
  expect(cards()).toHaveLength(7);
});

test('[D7.1] bonus badges are listed outside the categories, and hidden ones once they are earned', async () => {
  api.tracker = tracker({ leap_day: 3 }, { five_winds: 2 });
  render(<BadgeTracker />);
  await loaded();
  const outside = within(screen.getByRole('region', { name: 'Outside the categories' }));
  expect(outside.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Front Page',
    'Five Winds',
    'Weathercock',
    'Leap Day',
  ]);
  expect(outside.getByText(/6 more are surprises/)).toBeTruthy();
  expect(document.body.textContent).not.toContain('Dead Calm');
});

test('placeholders are shown while the badges load', async () => {
  let answer: (response: Response) => void = () => undefined;
  api.overrides.set('GET /api/user/badges', () => new Promise((resolve) => (answer = resolve)));
  render(<BadgeTracker />);
  await waitFor(() => expect(api.requests).toContain('GET /api/user/badges'));
  expect(screen.getByRole('tabpanel').getAttribute('aria-busy')).toBe('true');
  expect(cards()).toHaveLength(9);
  answer(Response.json(api.tracker));
  await loaded();
  expect(screen.getByRole('tabpanel').getAttribute('aria-busy')).toBe('false');
});

test('badges that fail to load can be retried', async () => {
  api.overrides.set('GET /api/user/badges', unavailable);
  render(<BadgeTracker />);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('We can’t show your badges right now'));
  api.overrides.clear();
  fireEvent.click(screen.getByText('Try again'));
  await loaded();
});

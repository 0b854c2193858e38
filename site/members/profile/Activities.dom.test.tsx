import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TimelineActivity } from '#api/members/profile/profile.contract.ts';
import { goTo } from '#site/client/address.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import Activities from './Activities.island.tsx';
import { newcomer, ownPoll, vote } from './fixtures/member-data.ts';
import { unavailable, clearAccountHint, setAccountHint, stubProfileApi } from './fixtures/profile-api.ts';
import type { ProfileApi } from './fixtures/profile-api.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let api: ProfileApi;
beforeEach(() => {
  api = stubProfileApi();
  setAccountHint();
  history.replaceState(null, '', '/profile/activities');
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  currentToast.set(null);
  clearAccountHint();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const showing = async (text: string) =>
  waitFor(() => expect(document.querySelector('section [role=status]')?.textContent).toBe(text));
const entries = () => [...document.querySelectorAll('li[data-type]')];
const asked = (path: string) => api.requests.filter((call) => call.startsWith(`GET ${path}`));
const search = () => screen.getByLabelText<HTMLInputElement>('Search');

/** Votes and comments by turns, the newest first, four a day. */
const timeline = (count: number): TimelineActivity[] =>
  Array.from({ length: count }, (_, number) =>
    vote(number / 4, {
      id: count - number,
      entityId: `thing-${number}`,
      choice: `Answer ${number}`,
      ...(number % 2 === 1 && { activityType: 'comment', entityType: 'comment', choice: null }),
    }),
  );

test('[S2.110] guests are asked to sign in', async () => {
  clearAccountHint();
  render(<Activities />);
  await waitFor(() => expect(screen.getByText('You need to sign in to view your profile.')).toBeTruthy());
  expect(api.requests).toEqual([]);
});

test('[S2.114 S2.115] the timeline is grouped by day, newest first, with type, entity, choice, id, date, and time', async () => {
  api.timeline = timeline(6);
  render(<Activities />);
  await showing('Showing 6 of 6 activities');
  expect([...document.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
    'November 21, 2026 Saturday',
    'November 20, 2026 Friday',
  ]);
  expect(entries().map(({ textContent }) => textContent)).toEqual([
    'VotePollWhich way, 0?Voted for Answer 0thing-008:00 UTC',
    'CommentWhich way, 0.25?thing-102:00 UTC',
    'VotePollWhich way, 0.5?Voted for Answer 2thing-220:00 UTC',
    'CommentWhich way, 0.75?thing-314:00 UTC',
    'VotePollWhich way, 1?Voted for Answer 4thing-408:00 UTC',
    'CommentWhich way, 1.25?thing-502:00 UTC',
  ]);
  expect(document.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-21T08:00:00.000Z');
});

test('[S2.114] the button next to an entity id copies it', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValueOnce();
  vi.stubGlobal('navigator', { userAgent: 'test', clipboard: { writeText } });
  api.timeline = timeline(2);
  render(<Activities />);
  await showing('Showing 2 of 2 activities');
  fireEvent.click(screen.getByRole('button', { name: 'Copy ID thing-1' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'ID Copied!' }));
  expect(writeText).toHaveBeenCalledWith('thing-1');
  writeText.mockRejectedValueOnce(new Error('denied'));
  fireEvent.click(screen.getByRole('button', { name: 'Copy ID thing-0' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Copy Failed', destructive: true }));
});

test('[S2.111] four totals are shown above the timeline: votes, polls, comments, and badges', async () => {
  api.profile = { ...newcomer, stats: { votes: 1_284, polls: 14, comments: 87, badges: 2, activities: 1_387 } };
  api.timeline = timeline(2);
  render(<Activities />);
  const figures = () =>
    [...document.querySelectorAll('dl.figures > div')].map((figure) =>
      [...figure.querySelectorAll('dt, .figures__value')].map(({ textContent }) => textContent).join(' '),
    );
  await waitFor(() =>
    expect(figures()).toEqual(['Votes Cast 1,284', 'Polls Created 14', 'Comments 87', 'Badges Earned 2']),
  );
});

test('[S2.115] the button shows more, one page at a time, never all at once', async () => {
  api.timeline = timeline(100_000);
  api.profile = { ...newcomer, stats: { ...newcomer.stats, activities: 100_000 } };
  render(<Activities />);
  await showing('Showing 20 of 100,000 activities');
  expect(entries()).toHaveLength(20);
  fireEvent.click(screen.getByText('Show more'));
  await showing('Showing 40 of 100,000 activities');
  expect(entries()).toHaveLength(40);
});

test('after the last page the focus moves to the number of entries shown', async () => {
  api.timeline = timeline(25);
  render(<Activities />);
  await showing('Showing 20 of 25 activities');
  const more = screen.getByText('Show more');
  more.focus();
  fireEvent.click(more);
  await showing('Showing 25 of 25 activities');
  expect(screen.queryByText('Show more')).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Showing 25 of 25 activities'));
});

test('[S2.113] the type filter has five choices and is stored in the URL', async () => {
  api.timeline = timeline(10);
  render(<Activities />);
  await showing('Showing 10 of 10 activities');
  const type = screen.getByLabelText<HTMLSelectElement>('Type');
  expect([...type.options].map(({ text }) => text)).toEqual([
    'All',
    'Votes',
    'Polls Created',
    'Comments',
    'Badge Earned',
  ]);
  fireEvent.change(type, { target: { value: 'comment' } });
  await showing('Showing 5 of 5 activities (10 in all)');
  expect(location.search).toBe('?type=comment');
  expect(new Set(entries().map((entry) => (entry as HTMLElement).dataset.type))).toEqual(new Set(['comment']));
});

test('[S2.112] a search waits for a pause in typing and is stored in the URL', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    api.timeline = timeline(30);
    render(<Activities />);
    await vi.waitFor(() => expect(entries()).toHaveLength(20), { timeout: 20_000 });
    const before = asked('/api/user/activities').length;
    for (const value of ['t', 'th', 'thing-1', 'thing-12 ']) {
      fireEvent.change(search(), { target: { value } });
      act(() => void vi.advanceTimersByTime(299));
    }
    expect(location.search).toBe('');
    act(() => void vi.advanceTimersByTime(1));
    expect(location.search).toBe('?q=thing-12');
    await vi.waitFor(() => expect(entries()).toHaveLength(1), { timeout: 20_000 });
    expect(asked('/api/user/activities').slice(before)).toEqual(['GET /api/user/activities?limit=20&q=thing-12']);
    expect(search().value).toBe('thing-12 ');
  } finally {
    vi.useRealTimers();
  }
});

test('a URL with a search and a type filters the list, which follows URL changes', async () => {
  api.timeline = timeline(30);
  history.replaceState(null, '', '/profile/activities?type=vote&q=thing-2');
  render(<Activities />);
  await showing('Showing 6 of 6 activities (30 in all)');
  expect([search().value, screen.getByLabelText<HTMLSelectElement>('Type').value]).toEqual(['thing-2', 'vote']);
  act(() => goTo('/profile/activities'));
  await showing('Showing 20 of 30 activities');
  expect(search().value).toBe('');
});

test('a search without results links to the unfiltered list', async () => {
  api.timeline = timeline(3);
  history.replaceState(null, '', '/profile/activities?q=nothing-of-the-kind');
  render(<Activities />);
  await showing('Showing 0 of 0 activities (3 in all)');
  fireEvent.click(screen.getByText('Show all activities'));
  await showing('Showing 3 of 3 activities');
});

test('a member without activities is told where to start', async () => {
  render(<Activities />);
  await showing('Showing 0 of 0 activities');
  expect(screen.getByText('Nothing has happened yet')).toBeTruthy();
  await waitFor(() => expect(screen.getByText('You haven’t created a poll yet.')).toBeTruthy());
});

test('a search limited to the newest activities says so', async () => {
  api.timeline = timeline(3);
  const found = { activities: api.timeline, total: 9_000, matching: 3, searched: 5_000, next: null };
  api.overrides.set('GET /api/user/activities', () =>
    Promise.resolve(Response.json({ ...found, stats: newcomer.stats })),
  );
  history.replaceState(null, '', '/profile/activities?q=thing');
  render(<Activities />);
  await showing('Showing 3 of 3 activities (9,000 in all) Only the newest 5,000 were searched.');
});

test('[S2.116] all created polls are listed below, one page at a time, open and closed', async () => {
  api.polls = Array.from({ length: 8 }, (_, index) =>
    ownPoll(index + 1, {
      description: `About ${index + 1}`,
      category: 'Science',
      ...(index === 1 && { isActive: false, closedAt: '2026-11-20T08:00:00.000Z', visibility: 'private' }),
    }),
  );
  api.profile = { ...newcomer, stats: { ...newcomer.stats, polls: 8 } };
  render(<Activities />);
  await waitFor(() => expect(screen.getByText('Page 1 of 2')).toBeTruthy());
  const polls = () => within(screen.getByRole('region', { name: 'Your Polls' })).getAllByRole('article');
  expect(polls()).toHaveLength(6);
  const shown = ([poll]: readonly HTMLElement[]) => [
    ...[...poll!.querySelectorAll('p, h3, b:not([hidden])')].map(({ textContent }) => textContent),
    poll!.querySelector('time')?.dateTime,
  ];
  expect(shown(polls())).toEqual([
    ...['PublicScienceActive', 'Question 1?', 'About 1', '1 vote', '2026-11-20T08:00:00.000Z'],
  ]);
  expect(shown(polls().slice(1))).toEqual([
    ...['PrivateScienceClosed', 'Question 2?', 'About 2', '2 votes', '2026-11-19T08:00:00.000Z'],
  ]);
  fireEvent.click(screen.getByText('Next'));
  await waitFor(() => expect(polls()).toHaveLength(2));
  expect(location.search).toBe('?polls=2');
  expect(document.activeElement?.textContent).toBe('Your Polls');
  expect(screen.getByText('Next').getAttribute('aria-disabled')).toBe('true');
});

test('activities that fail to load can be retried', async () => {
  api.timeline = timeline(2);
  api.overrides.set('GET /api/user/activities', unavailable);
  render(<Activities />);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Failed to fetch activities'));
  expect(document.querySelector('dl.figures')).toBeNull();
  api.overrides.clear();
  fireEvent.click(screen.getByText('Try again'));
  await showing('Showing 2 of 2 activities');
});

test('a next page that fails to load keeps the entries shown', async () => {
  api.timeline = timeline(30);
  render(<Activities />);
  await showing('Showing 20 of 30 activities');
  api.overrides.set('GET /api/user/activities', unavailable);
  fireEvent.click(screen.getByText('Show more'));
  await waitFor(() => expect(screen.getByRole('alert')).toBeTruthy());
  expect(entries()).toHaveLength(20);
  api.overrides.clear();
  fireEvent.click(screen.getByText('Show more'));
  await showing('Showing 30 of 30 activities');
});

import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { signedOutHere, signOut } from '#site/client/auth.tsx';
import { anna, earned, newcomer, now, ownPoll, vote, year } from './fixtures/member-data.ts';
import { unavailable, clearAccountHint, setAccountHint, stubProfileApi } from './fixtures/profile-api.ts';
import type { ProfileApi } from './fixtures/profile-api.ts';
import Profile from './Profile.island.tsx';

let api: ProfileApi;
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  api = stubProfileApi();
  setAccountHint();
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  clearAccountHint();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const section = (name: string) => screen.getByRole('region', { name });
const loaded = () => waitFor(() => expect(screen.getByText(/of 54$/)).toBeTruthy());
const figures = () =>
  [...screen.getByLabelText('Your stats').children].map((figure) =>
    [...figure.querySelectorAll('dt, .figures__value')].map(({ textContent }) => textContent).join(' '),
  );

test('[S2.103 S6.3 S7.26] guests are asked to sign in, and nothing is fetched', async () => {
  clearAccountHint();
  render(<Profile />);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeTruthy());
  expect(screen.getByText('You need to sign in to view your profile.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toMatch(/^\/api\/login\b/);
  expect(api.requests).toEqual([]);
});

test('after the session has ended, only the sign-in state is fetched', async () => {
  api.user = null;
  render(<Profile />);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeTruthy());
  expect(api.requests).toEqual(['GET /api/user']);
});

test('the published page contains no member data', () => {
  const html = renderToString(<Profile />);
  expect(html).not.toContain('Access Denied');
  expect(html).toContain('Achievements');
  expect(html).toContain('skeleton');
  expect(api.requests).toEqual([]);
});

test('[S2.104 S2.105] a member sees their name and totals', async () => {
  api.profile = { ...newcomer, stats: { votes: 1_284, polls: 14, comments: 87, badges: 2, activities: 1_400 } };
  render(<Profile />);
  await loaded();
  expect(screen.getByRole('heading', { level: 1, name: 'Anna Sommer' })).toBeTruthy();
  expect(screen.getByText('anna@example.org')).toBeTruthy();
  const person = screen.getByRole('heading', { level: 1 }).closest('header')!;
  expect(person.firstElementChild!.textContent).toBe('AS');
  expect(screen.getByText('Joined', { exact: false }).textContent).toBe('Joined Jan 25, 2026');
  expect(figures()).toEqual(['Votes Cast 1,284', 'Polls Created 14', 'Comments 87', 'Badges Earned 2']);
  expect(screen.getByRole('link', { name: 'Account settings' }).getAttribute('href')).toBe('/profile/account');
});

test('[S2.104] a member’s picture is shown', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(false);
  api.user = { ...anna, profileImageUrl: 'https://pictures.test/anna.png' };
  render(<Profile />);
  await loaded();
  const person = screen.getByRole('heading', { level: 1, name: 'Anna Sommer' }).closest('header')!;
  expect(person.querySelector('img')?.src).toBe('https://pictures.test/anna.png');
});

test('[S2.106] earned badges are listed by category with dates, and every category shows its count, even zero', async () => {
  api.profile = {
    ...newcomer,
    badges: [earned('hat_trick', 2), earned('votes_1', 9), earned('votes_10', 1), earned('leap_day', 3)],
  };
  render(<Profile />);
  await loaded();
  const achievements = within(section('Achievements'));
  expect(achievements.getByText('4/54')).toBeTruthy();
  const headings = achievements.getAllByRole('heading', { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Voting 2/92 of 9 badges earned',
    'Creator 0/80 of 8 badges earned',
    'Activity 0/100 of 10 badges earned',
    'Community 0/70 of 7 badges earned',
    'Fun 1/101 of 10 badges earned',
    'Outside the categories ',
  ]);
  expect(achievements.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Light AirNov 12, 2026',
    'Fresh BreezeNov 20, 2026',
    'Hat TrickNov 19, 2026',
    'Leap DayNov 18, 2026',
  ]);
  expect(achievements.getByRole('link').getAttribute('href')).toBe('/profile/badges');
});

test('[S2.107] a new member sees which badges exist and what the empty sections will show', async () => {
  render(<Profile />);
  await loaded();
  expect(section('Achievements').textContent).toContain(
    'There are 54 badges to earn in 5 categories: Voting 9, Creator 8, Activity 10, Community 7, Fun 10.',
  );
  expect(section('Your Polls').textContent).toContain('You haven’t asked anything yet.');
  const create = within(section('Your Polls')).getByRole('link', { name: 'Create a poll' });
  expect(create.getAttribute('href')).toBe('/community-polls/new');
  expect(section('Recent Activity').textContent).toContain('Nothing yet.');
  await waitFor(() => expect(section('Your Year').textContent).toContain('No activity in the last year.'));
});

test('[S2.108 S2.109 S9.15] the five newest polls and activities are shown without ids, with links to all', async () => {
  api.profile = {
    ...newcomer,
    polls: [1, 2, 3, 4, 5, 6].map((number) => ownPoll(number)),
    activities: [
      vote(1),
      vote(2, { poll: { id: 'c1', kind: 'community', question: 'Tea or coffee?' }, entityType: 'community_poll' }),
      vote(3, { poll: null }),
      vote(4, { activityType: 'badge_earned', entityType: 'badge', entityId: 'polls_1', poll: null }),
      vote(5, { activityType: 'comment', entityType: 'comment', entityId: 'k1', metadata: { pollId: 'c1' } }),
      vote(6),
    ],
  };
  render(<Profile />);
  await loaded();
  const polls = within(section('Your Polls'));
  expect(polls.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Question 1?',
    'Question 2?',
    'Question 3?',
    'Question 4?',
    'Question 5?',
  ]);
  expect(polls.getByRole('link', { name: 'View All Polls' }).getAttribute('href')).toBe('/profile/activities');
  const recent = within(section('Recent Activity'));
  expect(recent.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'VotePollWhich way, 1?yesterday',
    'VoteCommunity pollTea or coffee?2 days ago',
    'VotePollNo longer available3 days ago',
    'Badge EarnedBadgeFirst Draft4 days ago',
    'CommentOn a community pollWhich way, 5?5 days ago',
  ]);
  expect(recent.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/poll/poll-1',
    '/community-polls/c1',
    '/profile/badges#creator',
    '/poll/poll-5',
    '/profile/activities',
  ]);
});

test('equally busy weeks are not described as one', async () => {
  api.year = year({ 0: 3, 1: 9, 40: 12, 80: 1 });
  render(<Profile />);
  await loaded();
  await waitFor(() =>
    expect(section('Your Year').textContent).toContain(
      'Your busiest 2 weeks were tied: 12 activities each. The last of them started on Nov 16, 2026.',
    ),
  );
});

test('the year is also described in words and in a table', async () => {
  api.year = year({ 0: 3, 1: 9, 40: 1 });
  render(<Profile />);
  await loaded();
  await waitFor(() =>
    expect(section('Your Year').textContent).toContain(
      '13 activities on 3 days in the last year. Your busiest week started on Nov 16, 2026: 12 activities. ' +
        'Your current streak of daily visits is 1 day; your longest is 4 days.',
    ),
  );
  expect(screen.getByRole('img', { name: /^Calendar of the last year/ })).toBeTruthy();
  const rows = [...screen.getByRole('table').querySelectorAll('tbody tr')];
  expect(rows).toHaveLength(54);
  expect([...rows[0]!.children].map(({ textContent }) => textContent)).toEqual([
    'Nov 16, 2026',
    '0',
    '0',
    '0',
    '0',
    '9',
    '3',
    '–',
    '12',
  ]);
});

test('a profile that fails to load can be retried', async () => {
  api.overrides.set('GET /api/user/profile', unavailable);
  render(<Profile />);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('We can’t show your profile right now'));
  expect(screen.getByRole('heading', { name: 'Anna Sommer' })).toBeTruthy();
  api.overrides.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await loaded();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a year that fails to load does not affect the rest of the profile', async () => {
  api.overrides.set('GET /api/user/activity-days', unavailable);
  render(<Profile />);
  await loaded();
  await waitFor(() => expect(within(section('Your Year')).getByRole('alert')).toBeTruthy());
});

test('signing out redirects home', async () => {
  const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  render(<Profile />);
  await loaded();
  api.overrides.set('POST /api/logout', () => Promise.resolve(new Response(null, { status: 204 })));
  await act(signOut);
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
  expect(screen.queryByText('Access Denied')).toBeNull();
  expect(screen.queryByText('Anna Sommer')).toBeNull();
  signedOutHere.set(false);
});

test('when the session ends while the page is open, the member’s data disappears', async () => {
  api.overrides.set('GET /api/user/profile', () =>
    Promise.resolve(Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 })),
  );
  render(<Profile />);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeTruthy());
  expect(screen.queryByText('Anna Sommer')).toBeNull();
});

test('a member who guesses results sees how well they were guessed', async () => {
  render(<Profile />);
  await loaded();
  expect(screen.queryByText(/You read the crowd/)).toBeNull();
  cleanup();
  queryClient().clear();
  api.profile = { ...newcomer, accuracy: { guesses: 12, points: 76 } };
  render(<Profile />);
  await loaded();
  expect(screen.getByText(/You read the crowd within 7 points on average, in 12 guesses\./)).toBeTruthy();
});

import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import CommunityList from './CommunityList.island.tsx';
import type { CommunityApi } from './fixtures/community-api.tsx';
import {
  anna,
  communityPoll,
  clearSignInHint,
  now,
  numbered,
  signInHint,
  stubCommunityApi,
} from './fixtures/community-api.tsx';

let api: CommunityApi;
beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  vi.stubGlobal('scrollTo', vi.fn());
  api = stubCommunityApi();
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  clearSignInHint();
  history.replaceState(null, '', '/community-polls');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const island = (known: readonly CommunityPoll[] | null = [], search = '') => (
  <CommunityList
    search={search}
    initialTotal={null}
    initialPolls={known}
    featured={[]}
    publishedAt={new Date(now).toISOString()}
  />
);
const show = async (address = '/community-polls', known?: readonly CommunityPoll[] | null) => {
  history.replaceState(null, '', address);
  render(island(known, location.search));
  await waitFor(() => expect(screen.queryByRole('img', { name: 'Loading polls' })).toBeNull());
};
const signIn = () => {
  api.user = anna;
  signInHint();
};
const questions = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
const heading = (name: string) => screen.findByRole('heading', { name });
const lists = () => api.requests.filter((call) => call.startsWith('GET /api/community-polls?'));

test('[S2.86] a card shows visibility, category, question, description, votes, age, and state', async () => {
  api.polls = [
    communityPoll({ description: 'In the morning.', category: 'Lifestyle', totalVotes: 1_234 }),
    communityPoll({
      id: 'two',
      question: 'Over?',
      isActive: false,
      closedAt: '2026-11-21T07:00:00.000Z',
      totalVotes: 1,
    }),
    communityPoll({
      id: 'three',
      question: 'Soon?',
      startsAt: '2026-11-22T06:00:00.000Z',
      endsAt: '2026-11-29T06:00:00.000Z',
    }),
  ];
  await show();
  const [open, closed, upcoming] = (await screen.findAllByRole('article')).map((card) => card.textContent);
  for (const text of [
    'Public',
    'Lifestyle',
    'Tea or coffee?',
    'In the morning.',
    '1,234 votes',
    '2 hours ago',
    'Active',
  ])
    expect(open).toContain(text);
  expect(closed).toContain('1 vote');
  expect(closed).toContain('Closed');
  expect(upcoming).toContain('Not Started');
  expect(upcoming).toContain('Starts in 22 hours');
  expect(upcoming).not.toContain('Ends');
  expect(screen.getByRole('link', { name: 'Over?' }).getAttribute('href')).toBe('/community-polls/two');
});

test('the published list is in the HTML, and the live one replaces it', async () => {
  expect(renderToString(island(numbered(3, 2)))).toMatch(/Question 3\?.*Question 2\?/);
  api.polls = numbered(4, 3);
  await show('/community-polls', numbered(3, 2));
  await waitFor(() => expect(questions()).toEqual(['Question 4?', 'Question 3?', 'Question 2?']));
});

test('the published page is anonymous: it links to the sign-in and has no create button', () => {
  signIn();
  const html = renderToString(island(numbered(3, 2)));
  expect(html).not.toContain('Create Your Poll');
  expect(html).not.toContain('Your polls');
  expect(html).toContain('Login to create your own community polls');
});

test('[S2.83] featured polls have their own section on the first page of everyone’s polls, if there are any', async () => {
  api.polls = numbered(7, 7);
  await show();
  expect(screen.queryByRole('heading', { name: 'Featured Polls' })).toBeNull();
  cleanup();
  queryClient().clear();
  api.featured = [communityPoll({ id: 'f', question: 'Featured?', featured: true })];
  await show();
  const section = (await heading('Featured Polls')).closest('section')!;
  expect(within(section).getByRole('link', { name: 'Featured?' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Next' }));
  await heading('Newest Polls, page 2');
  expect(screen.queryByRole('heading', { name: 'Featured Polls' })).toBeNull();
});

test('[S2.84 S2.89 S7.19] choosing a category requests it, starts at page 1, and is in the address; going back returns', async () => {
  api.polls = [...numbered(13, 12), communityPoll({ id: 's', question: 'Moon?', category: 'Science' })];
  await show('/community-polls?page=2');
  await waitFor(() => expect(questions()).toEqual(numbered(7, 6).map(({ question }) => question)));
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'Science' } });
  await waitFor(() => expect(questions()).toEqual(['Moon?']));
  expect(location.search).toBe('?category=Science');
  expect(lists().at(-1)).toBe('GET /api/community-polls?visibility=public&category=Science&limit=6&offset=0');
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  act(() => {
    history.back();
  });
  await heading('Newest Polls, page 2');
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Category').value).toBe(''));
});

test('[S2.84] the filter offers “all” first, then the server’s categories', async () => {
  const categories = ['Travel', 'Science', 'Gaming'];
  api.overrides.set('GET /api/community-polls/categories', () => Promise.resolve(Response.json(categories)));
  await show();
  const offered = () => [...screen.getByLabelText<HTMLSelectElement>('Category').options].map(({ text }) => text);
  await waitFor(() => expect(offered()).toEqual(['All Categories', ...categories]));
});

test('[S2.89 S9.7] a full page of six has Next, page 1 no Previous, and a short last page only Previous', async () => {
  api.polls = numbered(8, 8);
  await show();
  await screen.findByText('Page 1');
  expect(screen.getByText('Previous').getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('link', { name: 'Next' }));
  await waitFor(() => expect(questions()).toEqual(['Question 2?', 'Question 1?']));
  expect(screen.getByText('Page 2')).toBeTruthy();
  expect(screen.getByText('Next').getAttribute('aria-disabled')).toBe('true');
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
  expect(document.activeElement?.textContent).toContain('page 2');
  fireEvent.click(screen.getByRole('link', { name: 'Previous' }));
  await waitFor(() => expect(questions()).toHaveLength(6));
  expect(location.search).toBe('');
});

test('page numbers lead to every page of the list', async () => {
  api.polls = numbered(14, 14);
  await show();
  fireEvent.click(await screen.findByRole('link', { name: 'Page 3' }));
  await waitFor(() => expect(questions()).toEqual(['Question 2?', 'Question 1?']));
  expect(location.search).toBe('?page=3');
  expect(screen.getByRole('link', { name: 'Page 3' }).getAttribute('aria-current')).toBe('page');
});

test('a page past the end says so and links back', async () => {
  api.polls = numbered(6, 6);
  await show('/community-polls?page=2');
  expect(await screen.findByText('There’s nothing on page 2')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to page 1' }).getAttribute('href')).toBe('/community-polls');
  expect(screen.getByRole('link', { name: 'Previous' })).toBeTruthy();
});

test('an invalid address says so, and nothing is requested', async () => {
  await show('/community-polls?category=Nothing');
  expect(screen.getByText('We can’t show that list')).toBeTruthy();
  expect(lists()).toEqual([]);
});

test('[S2.87 S2.88] without polls, members are invited to create the first', async () => {
  await show();
  expect(await screen.findByText('No Community Polls Yet')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Create First Poll' })).toBeNull();
  cleanup();
  queryClient().clear();
  signIn();
  await show();
  expect(await screen.findByRole('link', { name: 'Create First Poll' })).toBeTruthy();
});

test('[S2.87] an empty category is named, with a link to all categories', async () => {
  await show('/community-polls?category=World+News');
  expect(await screen.findByText('No Polls in "World News" Category')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show all categories' }).getAttribute('href')).toBe('/community-polls');
});

test('[S2.80 S7.26] readers without an account get a link to sign in and create one; members get the link to the form', async () => {
  await show('/community-polls?category=Science');
  expect(screen.getByRole('link', { name: 'Login to create your own community polls' }).getAttribute('href')).toBe(
    '/auth?next=%2Fcommunity-polls%2Fnew',
  );
  expect(screen.queryByText('Your polls')).toBeNull();
  cleanup();
  queryClient().clear();
  signIn();
  await show();
  expect(await screen.findByRole('link', { name: 'Create Your Poll' })).toBeTruthy();
  expect(screen.queryByText(/^Login/)).toBeNull();
});

test('members can list their own polls, including private ones', async () => {
  signIn();
  api.mine = [communityPoll({ id: 'p', question: 'Secret?', visibility: 'private' })];
  await show();
  fireEvent.click(await screen.findByRole('link', { name: 'Your polls' }));
  await heading('Your Polls');
  await waitFor(() => expect(questions()).toEqual(['Secret?']));
  expect(screen.getByText('Private')).toBeTruthy();
  expect(location.search).toBe('?show=mine');
  expect(lists().at(-1)).toContain('visibility=mine');
});

test('a reader’s own polls aren’t requested before signing in, which is offered', async () => {
  await show('/community-polls?show=mine', null);
  expect(await screen.findByText('Sign in to see your polls')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(
    '/auth?next=%2Fcommunity-polls%3Fshow%3Dmine',
  );
  expect(lists()).toEqual([]);
});

test('when the service is unavailable, the published list stays and can be retried', async () => {
  api.polls = numbered(4, 4);
  api.overrides.set('GET /api/community-polls', () => Promise.reject(new TypeError('Failed to fetch')));
  await show('/community-polls', numbered(3, 2));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to fetch polls');
  expect(questions()).toEqual(['Failed to fetch polls', 'Question 3?', 'Question 2?']);
  api.overrides.clear();
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(questions()).toHaveLength(4));
});

test('a page that can’t be loaded says why and keeps Previous', async () => {
  api.overrides.set('GET /api/community-polls', () =>
    Promise.resolve(Response.json({ code: 'RATE_LIMITED', message: 'Too many requests.' }, { status: 429 })),
  );
  await show('/community-polls?page=2', null);
  expect((await screen.findByRole('alert')).textContent).toContain('Too many requests.');
  expect(screen.getByRole('link', { name: 'Previous' })).toBeTruthy();
});

test('user texts set their own direction', async () => {
  api.polls = [communityPoll({ question: 'קפה או תה?', description: 'בבוקר' })];
  await show();
  expect((await screen.findByRole('heading', { name: 'קפה או תה?' })).getAttribute('dir')).toBe('auto');
  expect(screen.getByText('בבוקר').getAttribute('dir')).toBe('auto');
});

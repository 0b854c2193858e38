import { renderToString } from 'react-dom/server';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { communityCard } from '#domain/community-card.ts';
import { showIsland } from '#site/client/hydrate/fixtures/show-island.tsx';
import { queryClient } from '#site/client/query-client.ts';
import CommunityList from './CommunityList.island.tsx';
import type { CommunityApi } from './fixtures/community-api.tsx';
import { communityPoll, now, numbered, stubCommunityApi } from './fixtures/community-api.tsx';
import { refreshLists } from './live-community-list.ts';

let api: CommunityApi;
const hydrate = vi.fn();
beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  api = stubCommunityApi();
  hydrate.mockClear();
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  delete document.documentElement.dataset.member;
  document.body.innerHTML = '';
  history.replaceState(null, '', '/community-polls');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const island = (initialPolls: readonly CommunityPoll[], featured: readonly CommunityPoll[] = []) => (
  <CommunityList
    {...{ search: '', initialTotal: null, publishedAt: new Date(now).toISOString(), initialPolls, featured }}
  />
);
/** As a pre-rendered page has them: without the names of authors. */
const published = (poll: CommunityPoll) => communityCard(poll) as CommunityPoll;

async function open(polls: readonly CommunityPoll[], featured: readonly CommunityPoll[] = []): Promise<HTMLElement> {
  const root = document.createElement('div');
  root.innerHTML = renderToString(island(polls.map(published), featured.map(published)));
  document.body.append(root);
  await refreshLists({ root, hydrate, isHydrated: () => false });
  return root;
}
const cards = () => screen.getAllByRole('article').map((card) => card.textContent);

test('the rendered list shows authors, current counts, and the reader’s votes without React', async () => {
  const polls = numbered(2, 2);
  api.polls = [
    { ...polls[0]!, totalVotes: 1_235, commentCount: 1, hasVoted: true, createdByName: 'Ann $& Bo' },
    polls[1]!,
  ];
  api.featured = [communityPoll({ id: 'f', question: 'Featured?', totalVotes: 1 })];
  await open(polls, api.featured);
  const [featured, first, second] = cards();
  expect(featured).toContain('1 vote');
  for (const text of ['1,235 votes', '1 comment', 'You voted', 'by Ann $& Bo']) expect(first).toContain(text);
  expect(second).toContain('by Anna');
  const voted = screen.getAllByText('You voted').map((mark) => mark.hidden);
  expect(voted).toEqual([true, false, true]);
  expect(hydrate).not.toHaveBeenCalled();
});

test.each([
  ['a new poll is listed', () => (api.polls = numbered(3, 3))],
  ['a poll has closed', () => (api.polls = [{ ...numbered(2, 2)[0]!, isActive: false }, numbered(2, 2)[1]!])],
  ['a question was changed', () => (api.polls = [{ ...numbered(2, 2)[0]!, question: 'Else?' }, numbered(2, 2)[1]!])],
  ['another poll is featured', () => (api.featured = numbered(9, 1))],
  ['the reader is a member', () => (document.documentElement.dataset.member = '')],
  ['the list depends on the reader', () => history.replaceState(null, '', '/community-polls?state=unvoted')],
  [
    'the service is unavailable',
    () => void api.overrides.set('GET /api/community-polls', () => Promise.reject(new TypeError('Failed to fetch'))),
  ],
])('React is loaded when %s', async (_, change) => {
  api.polls = numbered(2, 2);
  change();
  await open(numbered(2, 2));
  expect(hydrate).toHaveBeenCalledOnce();
});

test('React replaces the list by what the script has requested, and shows it as the script left it', async () => {
  const polls = numbered(2, 2);
  api.polls = polls.map((poll) => ({ ...poll, totalVotes: 7, hasVoted: true }));
  const shown = showIsland(island(polls.map(published)));
  await refreshLists({ ...shown, hydrate });
  fireEvent.pointerOver(screen.getAllByRole('combobox')[0]!);
  await waitFor(() => expect(shown.isHydrated()).toBe(true));
  for (const card of cards()) for (const text of ['7 votes', 'You voted', 'by Anna']) expect(card).toContain(text);
  expect(screen.getAllByText('You voted').every((mark) => !mark.hidden)).toBe(true);
  shown.remove();
});

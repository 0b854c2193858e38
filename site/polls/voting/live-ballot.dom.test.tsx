import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showIsland } from '#site/client/hydrate/fixtures/show-island.tsx';
import { queryClient } from '#site/client/query-client.ts';
import * as community from '#site/polls/community/fixtures/community-api.tsx';
import { servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';
import { votedFor, weekly } from './fixtures/voting-pages.tsx';
import { ballotsIn, showTotal } from './live-ballot.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(() => {
  servePoll();
  queryClient().clear();
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

test('until React is there, the button of a ballot is enabled by a choice', () => {
  showIsland(<ActivePolls polls={[weekly]} publishedAt="2026-11-20" />);
  ballotsIn('test');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Vote/ });
  expect(button.disabled).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Light rules' }));
  expect(button.disabled).toBe(false);
});

/** Shows the published HTML of a page. */
function publish(page: ReactElement): HTMLElement {
  document.body.replaceChildren();
  queryClient().clear();
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(page);
  return place;
}
const home = (...polls: (typeof weekly)[]) => <ActivePolls polls={polls} publishedAt="2026-11-20" />;

const { open, closed, voted, withVotes } = community;
const secret = { ...closed, options: withVotes([]), resultVisibility: 'creator' } as const;
test.each([
  ['an open poll', home(weekly), home({ ...weekly, totalVotes: 1_201 }), { ...weekly, totalVotes: 1_201 }],
  [
    'one with one vote',
    home({ ...weekly, totalVotes: 0 }),
    home({ ...weekly, totalVotes: 1 }),
    { ...weekly, totalVotes: 1 },
  ],
  [
    'a community poll',
    community.pageOf(open),
    community.pageOf({ ...open, totalVotes: 12 }),
    { ...open, totalVotes: 12 },
  ],
  ['a closed one', community.pageOf(closed), community.pageOf(closed), closed],
  ['a closed one with withheld results', community.pageOf(secret), community.pageOf(secret), secret],
])('the plain script shows the count of %s exactly as React does', (_, rendered, now, poll) => {
  const expected = publish(now).textContent;
  const place = publish(rendered);
  expect(showTotal(place, poll)).toBe(true);
  // The bars that nobody sees yet are of the published page.
  expect(place.textContent.replace(/[\d.]+%/g, '')).toBe(expected.replace(/[\d.]+%/g, ''));
});

test('each of several ballots shows its own count', () => {
  const polls = [1_001, 7].map((totalVotes, at) => ({ ...weekly, id: `poll-${at}`, totalVotes }));
  const place = publish(home(...polls));
  for (const poll of polls) expect(showTotal(place, { ...poll, totalVotes: poll.totalVotes + 1 })).toBe(true);
  expect([...place.querySelectorAll('[data-total]')].map(({ textContent }) => textContent)).toEqual([
    '1,002 votes',
    '8 votes',
  ]);
});

test.each([
  ['a vote', home(weekly), votedFor('option-2')],
  ['the end', home(weekly), { ...weekly, isActive: false }],
  ['an early end', home(weekly), { ...weekly, closedAt: '2026-11-20T08:00:00.000Z' }],
  ['votes set aside', home(weekly), { ...weekly, setAsideVotes: 3 }],
  ['a poll that has started since', home(weekly), { ...weekly, id: 'started-since' }],
  ['a vote on a community poll', community.pageOf(open), voted],
  ['a vote whose results are withheld', community.pageOf(open), { ...open, hasVoted: true, userVote: 'option-2' }],
  ['a vote on a closed poll', community.pageOf(closed), { ...closed, hasVoted: true, userVote: 'option-2' }],
  ['more votes on a closed poll', community.pageOf(closed), { ...closed, totalVotes: 10 }],
  ['results that are shown since', community.pageOf(secret), closed],
  ['results that are withheld since', community.pageOf(closed), secret],
] as const)('the plain script changes nothing and leaves to React what shows after %s', (_, rendered, poll) => {
  const place = publish(rendered);
  const before = place.innerHTML;
  expect(showTotal(place, poll)).toBe(false);
  expect(place.innerHTML).toBe(before);
});

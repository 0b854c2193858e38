import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showIsland } from '#site/client/hydrate/fixtures/show-island.tsx';
import { queryClient } from '#site/client/query-client.ts';
import * as community from '#site/polls/community/fixtures/community-api.tsx';
import { service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';
import { receipt, votedFor, weekly } from './fixtures/voting-pages.tsx';
import { ballotsIn, showPoll } from './live-ballot.ts';
import { forgetAllReceipts, rememberReceipt } from './store-receipts.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let place: HTMLElement;

beforeEach(() => {
  servePoll();
  queryClient().clear();
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  forgetAllReceipts();
});

test('until React is there, the button of a ballot is enabled by a choice', () => {
  showIsland(<ActivePolls polls={[weekly]} publishedAt="2026-11-20" />);
  ballotsIn('test');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Vote/ });
  expect(button.disabled).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Light rules' }));
  expect(button.disabled).toBe(false);
});

/** What people see of a card: its text without parts that are hidden. */
function visible(element: Element): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll('[aria-hidden=true], [data-hidden], template, [role=status]'))
    hidden.remove();
  return copy.textContent;
}

test('the plain script shows counts and the results after a vote exactly as React does', () => {
  place = document.body.appendChild(document.createElement('div'));
  const base = { ...weekly, options: weekly.options.slice(0, 3), totalVotes: 1_000 };
  place.innerHTML = renderToString(<ActivePolls polls={[base]} publishedAt="2026-11-20" />);
  const more = { ...base, totalVotes: 1_001 };
  expect(showPoll(place, more)).toBe(true);
  expect(visible(place)).toContain('1,001 votes');
  expect(place.querySelector('[data-part=results]')!.getAttribute('aria-hidden')).toBe('true');

  rememberReceipt(base, 'option-2', { receipt }, '/poll/ai-rules');
  const voted = { ...votedFor('option-2'), options: votedFor('option-2').options.slice(0, 3), totalVotes: 1_001 };
  for (let time = 0; time < 2; time++) expect(showPoll(place, voted)).toBe(true);
  const shown = visible(place);
  const widths = [...place.querySelectorAll('rect:last-child')].map((bar) => bar.getAttribute('width'));
  service.answers['GET /api/polls/active'] = () => Response.json([voted]);
  queryClient().clear();
  const { container } = render(<ActivePolls polls={[voted]} publishedAt="2026-11-20" />);
  expect(shown).toBe(visible(container));
  expect(shown).toContain('Light rules30%301 votesYour vote');
  expect(shown).toContain('Receipt C56H-HBCY');
  expect(widths).toEqual([...container.querySelectorAll('rect:last-child')].map((bar) => bar.getAttribute('width')));
  expect(place.querySelectorAll('button')).toHaveLength(0);
});

const { open, closed, voted: votedPoll, withVotes } = community;
const more = { ...votedPoll, options: withVotes([2, 7, 1, 1]), totalVotes: 11 };
const secret = { ...closed, options: withVotes([]), resultVisibility: 'creator' } as const;
const private_ = { ...votedPoll, visibility: 'private' } as const;
test.each([
  ['an open community poll after a vote', open, [votedPoll, more], '(Your Vote)'],
  ['a private one that was rendered after a vote', private_, [{ ...more, visibility: 'private' }], '(Your Vote)'],
  ['a closed one', closed, [closed], 'Final Results'],
  ['a closed one with withheld results', secret, [secret], 'Voting Has Ended'],
  ['a closed one after a vote', closed, [{ ...closed, hasVoted: true, userVote: 'option-2' }], 'You chose Tram'],
] as const)('the plain script shows %s exactly as React does', async (_, rendered, polls, said) => {
  place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(community.pageOf(rendered));
  queryClient().clear();
  if (polls[0].hasVoted) rememberReceipt(rendered, 'option-2', { receipt }, '/community-polls/p1');
  for (const poll of polls) expect(showPoll(place, poll)).toBe(true);
  const vane = () => document.querySelector('svg.vane')!;
  const picture = () => [vane().getAttribute('aria-label'), vane().querySelector('g > g')!.getAttribute('transform')];
  const ballot = () => visible(document.querySelector('[data-ballot]')!);
  const [shown, drawn] = [ballot(), picture()];
  place.remove();
  await community.show(polls.at(-1));
  expect(shown).toBe(ballot());
  expect(drawn).toEqual(picture());
  expect(shown).toContain(said);
  expect(shown.includes('Receipt C56H-HBCY')).toBe(polls[0].hasVoted);
});

test('each of several ballots shows its own count', () => {
  place = document.body.appendChild(document.createElement('div'));
  const polls = [1_001, 7].map((totalVotes, at) => ({ ...weekly, id: `poll-${at}`, totalVotes }));
  place.innerHTML = renderToString(<ActivePolls polls={polls} publishedAt="2026-11-20" />);
  for (const poll of polls) expect(showPoll(place, { ...poll, totalVotes: poll.totalVotes + 1 })).toBe(true);
  expect([...place.querySelectorAll('[data-total]')].map(({ textContent }) => textContent)).toEqual([
    '1,002 votes',
    '8 votes',
  ]);
});

test('states that the pre-rendered ballot can’t show are left to React', () => {
  place = document.body.appendChild(document.createElement('div'));
  for (const change of [
    { isActive: false },
    { closedAt: '2026-11-20T08:00:00.000Z' },
    { setAsideVotes: 3 },
    { id: 'started-since' },
    // Options that aren’t offered have their own sentence.
    { hasVoted: true, userVote: 'option-2' },
  ]) {
    place.innerHTML = renderToString(<ActivePolls polls={[weekly]} publishedAt="2026-11-20" />);
    const before = place.innerHTML;
    expect([change, showPoll(place, { ...weekly, ...change })]).toEqual([change, false]);
    expect(place.innerHTML).toBe(before);
  }
  const first = { ...votedPoll, options: withVotes([0, 1, 0, 0]), totalVotes: 1 };
  for (const [rendered, poll] of [
    [open, { ...open, hasVoted: true, userVote: 'option-2' }],
    [open, first],
    [first, votedPoll],
    [open, { ...votedPoll, userVote: null }],
    [secret, closed],
    [secret, { ...secret, hasVoted: true, userVote: 'option-2' }],
    [closed, secret],
  ] as const) {
    queryClient().clear();
    place.innerHTML = renderToString(community.pageOf(rendered));
    const before = place.innerHTML;
    expect([poll, showPoll(place, poll)]).toEqual([poll, false]);
    expect(place.innerHTML).toBe(before);
  }
});

import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepRead } from '#site/client/early-reads.ts';
import { queryClient } from '#site/client/query-client.ts';
import * as community from '#site/community-polls/fixtures/community-api.tsx';
import { service, servePoll } from '#site/community-polls/fixtures/community-api.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';
import { other, receipt, votedFor, votingPages, weekly } from './fixtures/voting-pages.tsx';
import { showPoll } from './live-ballot.ts';
import { forgetAllReceipts, rememberReceipt } from './store-receipts.ts';
import { takeOverOnIntent } from './take-over.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const [home] = votingPages;
const published = (
  <ActivePolls polls={[weekly, { ...other, hasVoted: false, userVote: null }]} publishedAt="2026-11-20" />
);
let place: HTMLElement;
let loads: number;
let failLoading: boolean;

beforeEach(() => {
  servePoll();
  service.answers['GET /api/polls/active'] = () => Response.json([weekly, other]);
  queryClient().clear();
  [loads, failLoading] = [0, false];
});
afterEach(() => {
  cleanup();
  place.remove();
  forgetAllReceipts();
  vi.unstubAllGlobals();
});

/** Shows pre-rendered HTML that React takes over on intent. */
function show(element: ReactElement = published) {
  place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(element);
  // Rendering on the server has its own cache.
  queryClient().clear();
  return takeOverOnIntent(place, () => {
    loads++;
    if (failLoading) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve((root) => void render(element, { container: root }));
  });
}
const radio = (name: string) => screen.getAllByRole<HTMLInputElement>('radio', { name })[0]!;
const button = () => screen.getAllByRole<HTMLButtonElement>('button', { name: home!.button })[0]!;
const isMounted = (takeOver: { mounted: boolean }) => waitFor(() => expect(takeOver.mounted).toBe(true));

test('React is loaded once, on the first touch, focus, or key on a ballot', async () => {
  for (const intend of [
    () => fireEvent.pointerOver(radio('Light rules')),
    () => fireEvent.touchStart(radio('Light rules')),
    () => radio('Light rules').focus(),
    () => fireEvent.keyDown(radio('Light rules'), { key: ' ' }) && fireEvent.keyUp(radio('Light rules'), { key: ' ' }),
  ]) {
    const takeOver = show();
    const before = loads;
    expect(takeOver.mounted).toBe(false);
    intend();
    fireEvent.pointerOver(place);
    await isMounted(takeOver);
    expect(loads).toBe(before + 1);
    cleanup();
    place.remove();
  }
});

test('the choice and the focus are kept, and the button is enabled by a choice, before and after', async () => {
  const takeOver = show();
  expect(button().disabled).toBe(true);
  fireEvent.click(radio('Light rules'));
  expect(button().disabled).toBe(false);
  radio('Light rules').focus();
  await isMounted(takeOver);
  expect(document.activeElement).toBe(radio('Light rules'));
  expect(radio('Light rules').checked).toBe(true);
  await waitFor(() => expect(button().disabled).toBe(false));
});

test('the focus is kept on the receipt of an earlier vote, shown before React has loaded', async () => {
  const open = { ...weekly, options: weekly.options.slice(0, 3) };
  const voted = { ...open, hasVoted: true, userVote: 'option-2' };
  rememberReceipt(open, 'option-2', { receipt }, '/poll/ai-rules');
  service.answers['GET /api/polls/active'] = () => Response.json([voted]);
  const takeOver = show(<ActivePolls polls={[open]} publishedAt="2026-11-20" />);
  await keepRead('activePolls', Promise.resolve([voted]));
  expect(showPoll(place, voted)).toBe(true);
  screen.getByRole('link', { name: 'Receipt C56H-HBCY' }).focus();
  await isMounted(takeOver);
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Receipt C56H-HBCY' }));
  expect(screen.queryByRole('radio')).toBeNull();
});

test('the focus is kept on a deadline, which is no control', async () => {
  service.answers['GET /api/polls/ai-rules'] = () => Response.json(weekly);
  const { page } = votingPages.find(({ name }) => name === 'on a poll’s page')!;
  const takeOver = show(page);
  const deadline = () => document.querySelector<HTMLElement>('time[tabindex]')!;
  const before = deadline();
  before.focus();
  await isMounted(takeOver);
  expect(deadline()).not.toBe(before);
  expect(document.activeElement).toBe(deadline());
});

test('nothing is replaced between pressing and releasing, so that a click in flight is delivered', async () => {
  const takeOver = show();
  const pressed = radio('Light rules');
  radio('No rules').focus();
  fireEvent.pointerDown(pressed, { pointerType: 'mouse' });
  pressed.focus();
  await new Promise((done) => setTimeout(done, 30));
  expect([loads, takeOver.mounted, pressed.isConnected]).toEqual([1, false, true]);
  fireEvent.pointerUp(pressed, { pointerType: 'mouse' });
  fireEvent.click(pressed);
  await isMounted(takeOver);
  expect(radio('Light rules').checked).toBe(true);
});

test('a vote submitted before React has loaded is cast once it has', async () => {
  service.answers[home!.voteCall] = () => Response.json(home!.response('option-2'));
  show();
  fireEvent.click(radio('Light rules'));
  fireEvent.click(button());
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(service.calls(home!.voteCall)).toHaveLength(1));
  await waitFor(() => expect(screen.getAllByText('Vote Recorded')).not.toHaveLength(0));
});

test('if React can’t be loaded, a submitted vote is sent as a form, and the next touch tries again', async () => {
  failLoading = true;
  const sent = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
  const takeOver = show();
  fireEvent.click(radio('Light rules'));
  const form = button().form!;
  expect([form.method, new URL(form.action).pathname]).toEqual(['post', '/poll/ai-rules/vote']);
  expect(Object.fromEntries(new FormData(form))).toEqual({ optionId: 'option-2' });
  fireEvent.submit(form);
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(takeOver.mounted).toBe(false);
  failLoading = false;
  fireEvent.pointerOver(place);
  await isMounted(takeOver);
  sent.mockRestore();
});

test('a button pressed before React has loaded is pressed again, and open details stay open', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { userAgent: 'test', clipboard: { writeText } });
  service.answers['GET /api/polls/ai-rules'] = () => Response.json(weekly);
  const takeOver = show(votingPages[1]!.page);
  place.querySelector('details')!.open = true;
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await isMounted(takeOver);
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1));
  expect(place.querySelector('details')!.open).toBe(true);
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

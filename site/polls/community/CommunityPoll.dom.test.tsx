import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import {
  now,
  changePoll,
  castButton,
  closed,
  open,
  pageOf,
  refusal,
  service,
  servePoll,
  show,
  statusCall,
  texts,
  url,
  voteCall,
  voted,
} from './fixtures/community-api.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(servePoll);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const vote = (text: string) => {
  fireEvent.click(screen.getByRole('radio', { name: text }));
  fireEvent.click(castButton());
};

test('[S2.2 S2.93 S2.94 S4.7] the page shows visibility, category, question, description, and facts', async () => {
  await show();
  expect(screen.getByText('Public Poll')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Travel' }).getAttribute('href')).toBe('/community-polls?category=Travel');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(open.question);
  expect(screen.getByText(/Most days\.\s+Not on holidays\./)).toBeTruthy();
  const facts = screen.getByRole('list', { name: 'About this poll' });
  expect(
    within(facts)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['9 votes', 'Created yesterday by Anna Ahn @anna', 'Ends in 3 days']);
  expect(screen.getByText('Active')).toBeTruthy();
});

test('[D6.17] the HTML of an open poll contains its options and no results', () => {
  const html = renderToString(pageOf(open));
  for (const text of texts) expect(html).toContain(text);
  expect(html).not.toMatch(/\d%|Live Results/);
});

test('the creator reads when the tools could not be loaded, and gets them with a retry', async () => {
  vi.doMock('./creator-tools.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const mine = { ...open, isMine: true };
  await show(mine);
  expect((await screen.findByRole('alert')).textContent).toContain('can’t show the tools for your poll');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(open.question);
  vi.doUnmock('./creator-tools.ts');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Your Poll' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a creator who has not voted sees the results so far, and is not told to vote for them', async () => {
  await show({ ...open, isMine: true, options: closed.options, totalVotes: closed.totalVotes });
  expect(screen.getByRole('region', { name: 'Results so far' })).toBeTruthy();
  expect(screen.getByText('As its creator, you always see the results.')).toBeTruthy();
  expect(screen.queryByText('Results appear once you have voted.')).toBeNull();
});

test('where everyone may see the results, the ballot shows none before the vote', async () => {
  await show({ ...open, resultVisibility: 'always', options: closed.options, totalVotes: closed.totalVotes });
  expect(screen.getByText('Everyone can see the results so far.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Results so far' })).toBeNull();
});

describe('those who can open a private poll read what concerns them, and not that they need an invitation', () => {
  const poll = { ...open, visibility: 'private', protection: 'invited', resultVisibility: 'after-end' } as const;
  test.each([
    ['a guest', poll, true],
    ['its creator', { ...poll, isMine: true, options: closed.options }, false],
  ] as const)('%s', (_, shown, isWarned) => {
    const html = renderToString(pageOf(shown));
    expect(html.includes('The creator of this poll sees the results while it runs')).toBe(isWarned);
    expect(html.includes('As its creator, you always see the results.')).toBe(!isWarned);
    expect(html).not.toContain('you need an invitation');
  });
});

test('how votes were cast is said below the ballot, so that nothing moves with the first such vote', async () => {
  await show({ ...voted, votesApart: { publishedOrder: 1 } });
  const said = screen.getByText(/^1 of the votes received here was cast with the answers in their published order/);
  const total = screen.getByText('Total: 10 votes');
  expect(total.compareDocumentPosition(said)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test.each([
  [{}, true],
  [{ publishBallots: false }, false],
  [{ visibility: 'unlisted' }, false],
  [{ method: 'ranked', minChoices: 1, maxChoices: 2, totalVotes: 99 }, false],
  [open, false],
] as const)('a closed public poll links its recount, if its ballots are published: %o', (more, isLinked) => {
  const link = `href="/community-polls/${closed.id}/recount"`;
  expect(renderToString(pageOf({ ...closed, ...more })).includes(link)).toBe(isLinked);
});

describe('every sentence about results fits the poll', () => {
  const secret = { options: open.options, totalVotes: voted.totalVotes };
  const live = { heading: 'Vote Submitted - Live Results', toast: 'Results now update live.', sentence: null };
  const afterEnd = 'Results appear when the poll has ended.';
  const never = 'Only the creator of this poll sees the results.';
  test.each([
    ['after-voting', {}, { ...live, guess: true }],
    ['always', {}, { ...live, guess: false }],
    [
      'after-end',
      secret,
      {
        heading: 'Vote Submitted',
        toast: 'Thanks! Results appear when the poll ends.',
        sentence: afterEnd,
        guess: false,
      },
    ],
    [
      'creator',
      secret,
      { heading: 'Vote Submitted', toast: 'Thanks! Only its creator sees the results.', sentence: never, guess: false },
    ],
    ['creator', { isMine: true }, { ...live, guess: false }],
  ] as const)('after a vote on a poll with results "%s" %o', async (resultVisibility, more, expected) => {
    const mine = { resultVisibility, ...('isMine' in more && { isMine: true }) };
    await show({ ...open, ...mine });
    service.answers[voteCall] = () => Response.json({ ...voted, ...mine, ...more });
    vote('Tram');
    await screen.findByRole('heading', { name: expected.heading });
    await waitFor(() => expect(currentToast.get()?.text).toBe(expected.toast));
    const said = [afterEnd, never, 'Results appear once you have voted.'].filter((text) => screen.queryByText(text));
    expect(said).toEqual(expected.sentence === null ? [] : [expected.sentence]);
    const guess = screen.queryByRole('checkbox', { name: 'Guess results before seeing them' });
    expect(guess !== null).toBe(expected.guess);
  });

  test('results that are on their way are not promised for after the vote', async () => {
    service.answers[statusCall] = () => Response.json({ hasVoted: true, optionId: open.options[1]!.id });
    await show();
    expect(await screen.findByText('The results are on their way.')).toBeTruthy();
    expect(screen.queryByText('Results appear once you have voted.')).toBeNull();
  });

  test('the only vote of a closed poll has a result, and nobody is told that others will vote', async () => {
    const options = closed.options.map((option, place) => ({ ...option, votes: place === 1 ? 1 : 0 }));
    await show({ ...closed, options, totalVotes: 1, hasVoted: true, userVote: options[1]!.id });
    expect(screen.getByRole('heading', { name: 'Final Results' })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toContain('Tram100%1 vote(Your Vote)');
    expect(screen.queryByText('Results appear here as others vote.')).toBeNull();
  });

  test.each([
    ['after-voting', 'Everyone who can open the poll will see the results.'],
    ['creator', 'Only you will see the results.'],
  ] as const)('before a poll with results "%s" is closed', async (resultVisibility, sentence) => {
    await show({ ...open, isMine: true, resultVisibility });
    fireEvent.click(await screen.findByRole('button', { name: 'Close Poll' }));
    expect(screen.getByRole('dialog').textContent).toContain(`Voting ends for good. ${sentence}`);
  });
});

describe('voting', () => {
  test('[S2.97] shows thanks naming the choice, counts, percentages, and the total of all options', async () => {
    await show(voted);
    expect(screen.getByText(/Thank you for voting!/).textContent).toBe('Thank you for voting! You chose Tram.');
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows).toContain('Tram60%6 votes(Your Vote)');
    expect(rows).toContain('Boat10%1 vote');
    expect(screen.getByText('Total: 10 votes')).toBeTruthy();
    const bars = [...document.querySelectorAll('li rect:last-child')];
    expect(bars.map((bar) => bar.getAttribute('width'))).toEqual(['20', '60', '10', '10']);
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('doesn’t reduce the comment count the page already shows', async () => {
    await show({ ...open, commentCount: 3 });
    service.answers[voteCall] = () => Response.json({ ...voted, commentCount: 0 });
    vote('Tram');
    await waitFor(() => expect(screen.getByText('Total: 10 votes')).toBeTruthy());
    expect(queryClient().getQueryData(queryKeys.poll('p1'))).toMatchObject({ commentCount: 3 });
  });

  test('on a poll that closed in the meantime shows the final results', async () => {
    await show();
    service.answers[voteCall] = () => refusal(409, 'POLL_CLOSED');
    changePoll(closed);
    vote('Bus');
    await waitFor(() => expect(screen.getByText('Total: 9 votes')).toBeTruthy());
    expect(screen.getByText('This poll has ended and is no longer accepting votes.')).toBeTruthy();
  });
});

describe('whether this visitor has voted', () => {
  test('[S4.8 S7.22] is requested on hydration with the device id', async () => {
    service.answers[statusCall] = () => Response.json({ hasVoted: true, optionId: 'option-3' });
    await show();
    await waitFor(() => expect(screen.getByText(/You chose/).textContent).toContain('Bicycle'));
    expect(service.calls(statusCall).map(({ query }) => query)).toEqual([
      expect.stringMatching(/^\?fingerprint=device_[0-9a-z]{36}$/),
    ]);
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('[S8.21] stays unknown if that fails, which is only logged', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    service.answers[statusCall] = () => refusal(500, 'INTERNAL_ERROR');
    await show();
    await waitFor(() => expect(warned).toHaveBeenCalledWith('Could not read the vote status.', 500));
    expect(currentToast.get()).toBeNull();
    expect(screen.getAllByRole('radio')).toHaveLength(4);
  });
});

test('a poll that hasn’t started shows its options and start, and opens at that time', async () => {
  const startsAt = new Date(now + 30_000).toISOString();
  const soon = { ...open, startsAt };
  await show(soon, false);
  expect(screen.getByText('Not Started')).toBeTruthy();
  expect(screen.getByText('Voting starts on Nov 21, 2026, 08:00 UTC. These are the options.')).toBeTruthy();
  expect(screen.getByText(/^Starts/)).toBeTruthy();
  expect(screen.getByText('Bus')).toBeTruthy();
  expect(screen.queryByRole('radio')).toBeNull();
  await vi.advanceTimersByTimeAsync(31_000);
  await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(4));
});

test('[S2.93 S2.94 S2.96 S4.7] a closed poll shows its results to everyone', async () => {
  await show(closed);
  expect(screen.getByText('Closed')).toBeTruthy();
  expect(screen.getByText(/^Ended/).textContent).toBe('Ended 1 hour ago');
  expect(screen.getByText('This poll has ended and is no longer accepting votes.')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toContain('Tram56%5 votes');
  expect(screen.queryByRole('button', { name: 'Cast Vote' })).toBeNull();
});

test('[S2.93] a private poll is labeled as private', async () => {
  await show({ ...open, visibility: 'private' });
  expect(screen.getByText('Private Poll')).toBeTruthy();
});

test.each([
  ['of a private poll', {}, 'People who watch the results can tell how the next person voted.'],
  [
    'of a private poll whose results show after the end',
    { resultVisibility: 'after-end' },
    'The creator of this poll sees the results while it runs, and can tell how the next person voted.',
  ],
  ['of a public poll', { visibility: 'public' }, undefined],
] as const)('the ballot %s says who can tell how the next person votes', async (_, more, sentence) => {
  await show({ ...open, visibility: 'private', ...more });
  expect(screen.queryByText(/can tell how the next person voted/)?.textContent).toBe(sentence);
});

test.each([
  ['what a vote needs', { protection: 'members' }, 'To vote, you need an account on this site.'],
  [
    'since when it needs more',
    {
      protection: 'email',
      protectionRaises: [{ level: 'email', at: '2026-11-21T07:00:00.000Z', votesBefore: 1_204 }],
    },
    'Since Nov 21, 2026, 07:00 UTC, a confirmed email address is needed; 1,204 votes were cast before.',
  ],
] as const)('the ballot names %s', async (_, more, sentence) => {
  await show({ ...open, ...(more as Partial<CommunityPoll>) });
  expect(document.querySelector('[data-protection]')?.textContent).toBe(sentence);
});

test('[S2.93] the share box shows the link and, for an unlisted poll, who can open it', async () => {
  await show({ ...open, visibility: 'unlisted' });
  expect(screen.getByText('Unlisted Poll')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Link to this poll').value).toBe(url);
  expect(screen.getByText('Anyone with this link can open the poll.')).toBeTruthy();
});

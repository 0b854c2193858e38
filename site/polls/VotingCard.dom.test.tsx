import { QueryObserver } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Poll } from '#contract/poll.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import ActivePolls from './ActivePolls.island.tsx';
import { VotingCard } from './VotingCard.tsx';

// Toasts have their own tests; these check their contents only.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const poll: Poll = {
  id: 'ai-rules',
  question: 'How strictly should AI be regulated?',
  description: 'Some want licences.',
  options: [
    { id: 'option-1', text: 'Strict rules', votes: 600 },
    { id: 'option-2', text: 'Light rules', votes: 300 },
    { id: 'option-3', text: 'No rules', votes: 100 },
    { id: 'option-4', text: 'Never offered', votes: 200 },
  ],
  totalVotes: 1_200,
  hasVoted: false,
  userVote: null,
  isActive: true,
  createdAt: '2026-11-16T08:00:00.000Z',
  startsAt: '2026-11-16T08:00:00.000Z',
  endsAt: '2026-12-14T08:00:00.000Z',
  updatedAt: '2026-11-16T08:00:00.000Z',
  closedAt: null,
  category: 'world-news',
  tags: [],
  author: null,
  summary: null,
  analysis: null,
  methodologyNotes: null,
  countryBreakdown: [],
};
const statistics = { totalVotes: 5, importedVotes: 0, totalParticipants: 4, totalPolls: 3 };
const votedFor = (optionId: string): Poll => ({
  ...poll,
  hasVoted: true,
  userVote: optionId,
  totalVotes: 1_201,
  options: poll.options.map((option) => (option.id === optionId ? { ...option, votes: option.votes + 1 } : option)),
});

interface Call {
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
}
let calls: Call[];
let open: readonly Poll[];
let answerVote: () => Promise<Response>;
const json = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));

beforeEach(() => {
  calls = [];
  open = [poll];
  answerVote = () => {
    open = [votedFor('option-2')];
    return json(200, open[0]);
  };
  currentToast.set(null);
  queryClient().clear();
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { pathname } = new URL(url, 'http://site.test');
    calls.push({
      path: pathname,
      method: init.method ?? 'GET',
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    });
    if (pathname.endsWith('/vote')) return answerVote();
    return json(200, pathname === '/api/statistics' ? statistics : open);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The card as in the list on the home page. */
async function show(polls: readonly Poll[] = open) {
  render(<ActivePolls polls={polls} publishedAt="2026-11-20T08:00:00.000Z" />);
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/polls/active'));
  await waitFor(() => expect(queryClient().isFetching()).toBe(0));
}
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const voteButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Vote/ });
const choose = (name: string) => fireEvent.click(radio(name));
const press = () => fireEvent.click(voteButton());
/** Clicks the button and waits for the response. */
const castVote = async () => {
  press();
  await waitFor(() => expect(queryClient().isMutating()).toBe(0));
};
const votesCast = () => calls.filter(({ method }) => method === 'POST');

describe('before the vote', () => {
  test('[S2.57 S5.6] only the first three options are offered, and the button requires a choice', async () => {
    await show();
    expect(screen.getAllByRole('radio')).toHaveLength(3);
    expect(screen.queryByText('Never offered')).toBeNull();
    expect(voteButton().disabled).toBe(true);
    choose('Light rules');
    expect(voteButton().disabled).toBe(false);
  });

  test('results are hidden, and the category is readable', async () => {
    await show();
    expect(screen.queryByText('Vote Recorded')).toBeNull();
    const bars = screen.getByText('50%').closest('[aria-hidden]');
    expect(bars?.getAttribute('aria-hidden')).toBe('true');
    expect(screen.getByText('World News')).toBeTruthy();
  });

  test('[S2.33] a choice made before hydration is kept', () => {
    const place = document.body.appendChild(document.createElement('div'));
    const card = <VotingCard poll={poll} variant="page" />;
    place.innerHTML = renderToString(card);
    place.querySelector<HTMLInputElement>('input[value="option-2"]')!.checked = true;
    render(card, { container: place, hydrate: true });
    expect(radio('Light rules').checked).toBe(true);
    expect(voteButton().disabled).toBe(false);
    place.remove();
  });
});

describe('while the vote is being sent', () => {
  test('[S2.58 S4.4 S5.6] the button says so, nothing can be changed, and a second click does nothing', async () => {
    let arrive: (response: Response) => void = () => undefined;
    answerVote = () => new Promise((resolve) => (arrive = resolve));
    await show();
    choose('Light rules');
    press();
    const pending = await screen.findByRole<HTMLButtonElement>('button', { name: /^Processing\.\.\./ });
    expect(pending.getAttribute('aria-disabled')).toBe('true');
    choose('No rules');
    expect(radio('Light rules').checked).toBe(true);
    fireEvent.click(pending);
    fireEvent.submit(pending.closest('form')!);
    await waitFor(() => expect(votesCast()).not.toEqual([]));
    expect(votesCast()).toEqual([{ path: '/api/polls/ai-rules/vote', method: 'POST', body: { optionId: 'option-2' } }]);
    open = [votedFor('option-2')];
    await act(async () => arrive(await json(200, open[0])));
    await screen.findByText('Vote Recorded');
    expect(votesCast()).toHaveLength(1);
  });
});

describe('after the vote', () => {
  test('[S2.59 S2.60] results of the first three options appear with whole percentages, counts, and the voter’s choice', async () => {
    await show();
    choose('Light rules');
    await castVote();
    expect(screen.getByText('Vote Recorded')).toBeTruthy();
    expect(screen.getByText('50%')).toBeTruthy();
    expect(screen.getByText('25%')).toBeTruthy();
    expect(screen.getByText('301 votes')).toBeTruthy();
    expect(screen.getByText('Your vote')).toBeTruthy();
    expect(screen.queryByText('Never offered')).toBeNull();
    expect(screen.getByText('1,201 votes')).toBeTruthy();
  });

  test('[S2.59] votes on options that aren’t offered are mentioned, so the results add up', async () => {
    await show();
    choose('Light rules');
    await castVote();
    expect(screen.getByText('Another option, not offered here, has 200 votes (17%).')).toBeTruthy();
  });

  test('[S8.7] it is announced politely, with thanks', async () => {
    await show();
    choose('Light rules');
    await castVote();
    expect(screen.getByRole('status').textContent).toContain('Vote Recorded.');
    expect(screen.getByRole('status').textContent).toContain('Light rules: 25%');
    expect(currentToast.get()).toMatchObject({
      title: 'Vote Recorded',
      text: 'Thank you for participating in this poll!',
    });
  });

  test('[S4.5 S7.12] open polls and statistics are refetched', async () => {
    await show();
    // The figures are elsewhere on the page.
    const figures = vi.fn(() => Promise.resolve(statistics));
    const observer = new QueryObserver(queryClient(), { queryKey: queryKeys.statistics, queryFn: figures });
    const leave = observer.subscribe(() => undefined);
    await waitFor(() => expect(figures).toHaveBeenCalledTimes(1));
    const before = calls.filter(({ path }) => path === '/api/polls/active').length;
    choose('Light rules');
    await castVote();
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/polls/active').length).toBe(before + 1));
    await waitFor(() => expect(figures).toHaveBeenCalledTimes(2));
    expect(screen.getByText('Vote Recorded')).toBeTruthy();
    leave();
  });

  test('[S4.4] earlier voters see results immediately, without an announcement', async () => {
    open = [votedFor('option-1')];
    await show([poll]);
    expect(screen.getByText('Vote Recorded')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('');
    expect(screen.queryByRole('button', { name: /^Vote/ })).toBeNull();
  });
});

describe('when the vote fails', () => {
  const refuse = (status: number, body: unknown) => {
    answerVote = () => json(status, body);
  };

  test('[S8.8 D10.2] a second vote shows the recorded choice, not the new one', async () => {
    open = [poll];
    refuse(409, {
      message: 'You have already voted on this poll.',
      code: 'ALREADY_VOTED',
      userVote: 'option-1',
      poll: votedFor('option-1'),
    });
    await show();
    choose('Light rules');
    await castVote();
    const mine = screen.getByText('Your vote').closest('li')!;
    expect(mine.textContent).toContain('Strict rules');
    expect(currentToast.get()).toMatchObject({
      title: 'Vote Failed',
      text: 'You have already voted on this poll.',
      destructive: true,
    });
  });

  test('the recorded choice is enough if the response contains no poll', async () => {
    refuse(409, { message: 'You have already voted on this poll.', code: 'ALREADY_VOTED', userVote: 'option-3' });
    await show();
    choose('Light rules');
    await castVote();
    expect(screen.getByText('Your vote').closest('li')!.textContent).toContain('No rules');
  });

  test('[D4.2] a poll that closed in the meantime shows its results and links to the report', async () => {
    refuse(409, { message: 'This poll has ended and is no longer accepting votes.', code: 'POLL_CLOSED' });
    await show();
    choose('Light rules');
    await castVote();
    expect(screen.getByText('Poll Closed')).toBeTruthy();
    for (const result of ['50%', '600 votes', '25%', '300 votes']) {
      const shown = screen.getByText(result);
      expect(shown.closest('[aria-hidden=true]')).toBeNull();
    }
    expect(screen.getByRole('link', { name: 'Read the report' }).getAttribute('href')).toBe('/poll/ai-rules');
    expect(screen.queryByRole('button', { name: /^Vote/ })).toBeNull();
  });

  test('[S8.8] offline, the toast says what failed, the card says why, and the choice can be sent again', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    answerVote = () => Promise.reject(new TypeError('Failed to fetch'));
    await show();
    choose('Light rules');
    await castVote();
    expect(radio('Light rules').checked).toBe(true);
    expect(screen.getByText('You’re offline. Your choice is still selected.')).toBeTruthy();
    expect(currentToast.get()).toMatchObject({
      title: 'Vote Failed',
      text: 'Failed to record your vote. Please try again.',
      destructive: true,
    });
    answerVote = () => {
      open = [votedFor('option-2')];
      return json(200, open[0]);
    };
    await castVote();
    expect(screen.getByText('Vote Recorded')).toBeTruthy();
    expect(votesCast()).toHaveLength(2);
  });

  test('the server’s message is only in the toast', async () => {
    refuse(503, { message: 'Too many votes are arriving right now.', code: 'OVERLOADED' });
    await show();
    choose('Light rules');
    await castVote();
    expect(currentToast.get()).toMatchObject({ text: 'Too many votes are arriving right now.' });
    expect(screen.queryByText(/Too many votes/)).toBeNull();
    expect(screen.getByText('Your choice is still selected.')).toBeTruthy();
  });

  test('[S8.8] a failure without a server message has a default message', async () => {
    answerVote = () => Promise.resolve(new Response('', { status: 500, statusText: 'Internal Server Error' }));
    await show();
    choose('Light rules');
    await castVote();
    expect(currentToast.get()).toMatchObject({
      title: 'Vote Failed',
      text: 'Failed to record your vote. Please try again.',
    });
  });
});

describe("today's polls", () => {
  test('[S2.20] are counted in a sentence', async () => {
    await show();
    expect(screen.getByText('1 active poll')).toBeTruthy();
    cleanup();
    open = [poll, { ...poll, id: 'other' }];
    await show(open);
    expect(screen.getByText('2 active polls')).toBeTruthy();
  });

  test('[S2.21] are three placeholders while loading, then a notice if there are none', async () => {
    open = [];
    render(<ActivePolls polls={[]} publishedAt="2026-11-20T08:00:00.000Z" />);
    expect(within(screen.getByLabelText('Loading polls')).getAllByRole('listitem')).toHaveLength(3);
    await waitFor(() => expect(screen.getByText('No Active Polls')).toBeTruthy());
  });

  test('[S8.16] that can’t be loaded keep the published ones, say so, and can be retried', async () => {
    const works = globalThis.fetch;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    render(<ActivePolls polls={[poll]} publishedAt="2026-11-20T08:00:00.000Z" />);
    await waitFor(() => expect(screen.getByText('Failed to fetch polls')).toBeTruthy());
    expect(screen.getByText(poll.question)).toBeTruthy();
    vi.stubGlobal('fetch', works);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Failed to fetch polls')).toBeNull());
  });
});

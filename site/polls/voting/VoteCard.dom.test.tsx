import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { statistics, votedFor, weekly as poll } from './fixtures/voting-pages.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';

// Toasts have their own tests; these check their contents only.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let calls: string[];
let hosts: (string | null)[];
let open: readonly Poll[];
let answerVote: () => Response;

beforeEach(() => {
  calls = [];
  hosts = [];
  open = [poll];
  answerVote = () => Response.json({ ...votedFor('option-2'), statistics });
  currentToast.set(null);
  queryClient().clear();
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const { pathname } = new URL(url, 'http://site.test');
    calls.push(pathname);
    if (pathname.endsWith('/vote')) hosts.push(new Headers(init?.headers).get('x-referring-host'));
    return Promise.resolve(pathname.endsWith('/vote') ? answerVote() : Response.json(open));
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
  await waitFor(() => expect(calls).toContain('/api/polls/active'));
  await waitFor(() => expect(queryClient().isFetching()).toBe(0));
}
const voteButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Vote/ });
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));
/** Clicks the button and waits for the response. */
const castVote = async () => {
  fireEvent.click(voteButton());
  await waitFor(() => expect(queryClient().isMutating()).toBe(0));
};

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
});

test.each([
  ['https://news.example.org:8443/story?id=7#here', 'news.example.org:8443'],
  ['', ''],
])('a vote says only the host of the page that led here: %s', async (referrer, host) => {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  await show();
  choose('Light rules');
  await castVote();
  expect(hosts).toEqual([host]);
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
    expect(
      screen.getByText('One more answer came with this poll and can’t be picked here: 200 votes (17%).'),
    ).toBeTruthy();
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
    answerVote = () => Response.json(body, { status });
  };

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

import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import PollPage from './Poll.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const now = Date.parse('2026-11-21T08:00:00.000Z');
const poll: Poll = {
  id: 'ai-rules',
  question: 'How strictly should AI be regulated?',
  description: '',
  options: [1, 2, 3, 4].map((n) => ({ id: `option-${n}`, text: `Answer ${n}`, votes: n })),
  totalVotes: 10,
  hasVoted: false,
  userVote: null,
  isActive: true,
  createdAt: '2026-11-16T08:00:00.000Z',
  startsAt: '2026-11-16T08:00:00.000Z',
  endsAt: '2026-11-24T08:00:00.000Z',
  updatedAt: '2026-11-16T08:00:00.000Z',
  closedAt: null,
  category: null,
  tags: [],
  author: null,
  summary: null,
  analysis: null,
  methodologyNotes: null,
  countryBreakdown: [],
};
const url = 'https://polls.test/poll/ai-rules';
let answer: () => Promise<Response>;
/** Requests for the poll. */
let requests: number;
/** All others. */
let others: string[];

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  queryClient().clear();
  currentToast.set(null);
  requests = 0;
  others = [];
  answer = () => Promise.resolve(Response.json(poll));
  vi.stubGlobal('fetch', (address: string, { method }: RequestInit) => {
    const [path = ''] = address.split('?');
    if (path === '/api/polls/ai-rules') {
      requests++;
      return answer();
    }
    others.push(`${method} ${path}`);
    return Promise.resolve(
      Response.json(
        path.endsWith('/active')
          ? [poll, { ...poll, id: 'tea' }]
          : { ...poll, hasVoted: true, userVote: 'option-1', statistics: {}, receipt: null },
      ),
    );
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const stubClipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal('navigator', { userAgent: 'test', clipboard: { writeText } });

const show = async () => {
  render(<PollPage poll={poll} readAt={new Date(now).toISOString()} url={url} embedCode="<iframe></iframe>" />);
  await waitFor(() => expect(requests).toBe(1));
};

test('[S2.35 S2.36 S2.37] the page shows total votes, status, the relative end, and the link to share', async () => {
  await show();
  expect(screen.getByText('Total Votes').parentElement!.textContent).toContain('10');
  expect(screen.getByText('Status').parentElement!.textContent).toContain('Active');
  expect(screen.getByText('Ends').parentElement!.textContent).toContain('in 3 days');
  expect(screen.getByLabelText<HTMLInputElement>('Link to this poll').value).toBe(url);
  expect(screen.getByLabelText<HTMLInputElement>('Link to this poll').readOnly).toBe(true);
});

test('a visitor votes with one request, and the next poll is offered without another one', async () => {
  await show();
  await waitFor(() => expect(others).toEqual(['GET /api/polls/active']));
  fireEvent.click(screen.getByLabelText('Answer 1'));
  fireEvent.click(screen.getByRole('button', { name: /^Vote/ }));
  const next = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Next Poll' });
  expect(next.getAttribute('href')).toBe('/poll/tea');
  expect(screen.getByText('1 of 2 polls answered')).toBeTruthy();
  expect(others).toEqual(['GET /api/polls/active', 'POST /api/polls/ai-rules/vote']);
  expect(requests).toBe(1);
});

test('[S7.14 S9.4] an open poll is refetched every 30 seconds', async () => {
  await show();
  await vi.advanceTimersByTimeAsync(25_000);
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(5_100);
  expect(requests).toBe(2);
});

test('[S2.36 S2.38 S4.3 D4.2] a poll that closes while shown turns into its results and is no longer refetched', async () => {
  await show();
  answer = () => Promise.resolve(Response.json({ ...poll, isActive: false, closedAt: poll.endsAt }));
  await vi.advanceTimersByTimeAsync(limits.pollRefetchMs + 100);
  await waitFor(() => expect(screen.getByText('Poll Closed')).toBeTruthy());
  expect(screen.getByText('Answer 4')).toBeTruthy();
  expect(screen.getByText('40.0%')).toBeTruthy();
  expect(screen.getByText('Historical')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Vote/ })).toBeNull();
  await vi.advanceTimersByTimeAsync(3 * limits.pollRefetchMs);
  expect(requests).toBe(2);
});

test('an unavailable service leaves the poll on the screen and says so', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await show();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('can’t reach the service'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(poll.question);
});

test('[S2.37 S8.12 S9.14] the link is copied, and the button says so for two seconds', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  stubClipboard(writeText);
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Link Copied!' })).toBeTruthy());
  expect(writeText).toHaveBeenCalledWith(url);
  expect(currentToast.get()).toMatchObject({ title: 'Link Copied!' });
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(screen.getByRole('button', { name: 'Link Copied!' })).toBeTruthy();
  await vi.advanceTimersByTimeAsync(500);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copy Link' })).toBeTruthy());
});

test('[S8.12] a refused clipboard is reported', async () => {
  stubClipboard(() => Promise.reject(new Error('denied')));
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await waitFor(() =>
    expect(currentToast.get()).toMatchObject({
      title: 'Copy Failed',
      text: 'Could not copy link to clipboard. Please copy manually.',
      destructive: true,
    }),
  );
});

test('the link to results without voting is on pages of polls that give it', () => {
  const { rerender } = render(<PollPage poll={poll} readAt={poll.createdAt} url={url} />);
  expect(screen.queryByRole('link', { name: 'Show results without voting' })).toBeNull();
  rerender(<PollPage poll={poll} readAt={poll.createdAt} url={url} resultsPath="/poll/ai-rules/results" />);
  const link = screen.getByRole('link', { name: 'Show results without voting' });
  expect(link.getAttribute('href')).toBe('/poll/ai-rules/results');
});

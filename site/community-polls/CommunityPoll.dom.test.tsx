import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommunityPoll as Poll } from '#contract/community-poll.ts';
import { limits } from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import CommunityPoll from './CommunityPoll.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const now = Date.parse('2026-11-21T08:00:00.000Z');
const texts = ['Bus', 'Tram', 'Bicycle', 'Boat'];
const withVotes = (votes: readonly (number | null)[]) =>
  texts.map((text, index) => ({ id: `option-${index + 1}`, text, votes: votes[index] ?? null }));
const open: Poll = {
  id: 'p1',
  question: 'How do you come to work?',
  description: 'Most days.\nNot on holidays.',
  options: withVotes([]),
  totalVotes: 9,
  isActive: true,
  visibility: 'public',
  featured: false,
  createdAt: '2026-11-20T08:00:00.000Z',
  startsAt: '2026-11-20T08:00:00.000Z',
  endsAt: '2026-11-24T08:00:00.000Z',
  closedAt: null,
  category: 'Travel',
  tags: [],
  createdByName: 'Anna Ahn',
  isMine: false,
  hasVoted: false,
  userVote: null,
  commentCount: 0,
};
const voted: Poll = { ...open, options: withVotes([2, 6, 1, 1]), totalVotes: 10, hasVoted: true, userVote: 'option-2' };
const closed: Poll = {
  ...open,
  options: withVotes([2, 5, 1, 1]),
  isActive: false,
  closedAt: '2026-11-21T07:00:00.000Z',
};

/** What the service answers, by method and path; the poll itself unless a test says otherwise. */
let answers: Record<string, () => Response | Promise<Response>>;
let asked: { call: string; body: unknown }[];
const calls = (call: string) => asked.filter((one) => one.call === call);
const pollCall = 'GET /api/community-polls/p1';
const voteCall = 'POST /api/community-polls/p1/vote';
const statusCall = 'GET /api/community-polls/p1/vote/status';
const refusal = (status: number, code: string, more: object = {}) =>
  Response.json({ message: `Said by the server: ${code}`, code, ...more }, { status });

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  queryClient().clear();
  currentToast.set(null);
  localStorage.clear();
  asked = [];
  answers = { [pollCall]: () => Response.json(open), [statusCall]: () => Response.json({ hasVoted: false }) };
  vi.stubGlobal('fetch', async (url: string, init: { method: string; body?: string }) => {
    const call = `${init.method} ${new URL(url, 'http://site.test').pathname}`;
    asked.push({ call, body: init.body === undefined ? undefined : JSON.parse(init.body) });
    return (await answers[call]?.()) ?? refusal(404, 'NOT_FOUND');
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const url = 'https://polls.test/community-polls/p1';
const element = (poll: Poll, begun = true) => (
  <CommunityPoll poll={poll} readAt={new Date(now).toISOString()} begun={begun} url={url} />
);
const show = async (poll: Poll = open, begun = true) => {
  answers[pollCall] ??= () => Response.json(poll);
  render(element(poll, begun));
  await waitFor(() => expect(calls(statusCall)).toHaveLength(1));
};
const castButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Cast Vote' });
const vote = (text: string) => {
  fireEvent.click(screen.getByRole('radio', { name: text }));
  fireEvent.click(castButton());
};

test('the page says what the poll is: visibility, category, question, description, facts', async () => {
  await show();
  expect(screen.getByText('Public Poll')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Travel' }).getAttribute('href')).toBe('/community-polls?category=Travel');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(open.question);
  expect(screen.getByText(/Most days\.\s+Not on holidays\./)).toBeTruthy();
  const facts = screen.getByRole('list', { name: 'Facts about this poll' });
  expect(
    within(facts)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['9 votes', 'Created yesterday by Anna Ahn', 'Ends in 3 days']);
  expect(screen.getByText('Active')).toBeTruthy();
});

test('the HTML of an open poll has its options and no result', () => {
  const html = renderToString(element(open));
  for (const text of texts) expect(html).toContain(text);
  expect(html).not.toMatch(/\d%|Live Results/);
});

describe('voting', () => {
  test('needs a choice, and sends it with the device id', async () => {
    await show();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers[voteCall] = () => promise;
    answers[pollCall] = () => Response.json(voted);
    expect(castButton().disabled).toBe(true);
    vote('Tram');
    const pending = await screen.findByRole<HTMLButtonElement>('button', { name: 'Submitting Vote...' });
    expect(pending.disabled).toBe(true);
    resolve(Response.json(voted));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Vote Submitted - Live Results' })).toBeTruthy());
    expect(calls(voteCall)[0]?.body).toEqual({
      optionId: 'option-2',
      voterFingerprint: expect.stringMatching(/^device_[0-9a-z]{36}$/) as unknown,
    });
    expect(currentToast.get()).toMatchObject({ title: 'Vote Submitted!' });
  });

  test('is answered with thanks that name the choice, counts, percentages and the total of all options', async () => {
    answers[pollCall] = () => Response.json(voted);
    await show(voted);
    expect(screen.getByText(/Thank you for voting!/).textContent).toBe('Thank you for voting! You chose Tram.');
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows).toContain('Tram60%6 votes(Your Vote)');
    expect(rows).toContain('Boat10%1 vote');
    expect(screen.getByText('Total: 10 votes')).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('is announced once, with the counts of that moment', async () => {
    await show();
    answers[voteCall] = () => Response.json(voted);
    answers[pollCall] = () => Response.json({ ...voted, options: withVotes([3, 6, 1, 1]), totalVotes: 11 });
    vote('Tram');
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Vote Submitted'));
    const said = screen.getByRole('status').textContent;
    expect(said).toContain('Tram: 60%');
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByText('Total: 11 votes')).toBeTruthy());
    expect(screen.getByRole('status').textContent).toBe(said);
  });

  test('that fails keeps the choice and says why', async () => {
    await show();
    answers[voteCall] = () => new Response('<html>', { status: 500 });
    vote('Bus');
    await waitFor(() =>
      expect(currentToast.get()).toMatchObject({
        text: 'Failed to submit vote. Please try again.',
        destructive: true,
      }),
    );
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Bus' }).checked).toBe(true);
    expect(castButton().disabled).toBe(false);
    answers[voteCall] = () => refusal(503, 'OVERLOADED');
    fireEvent.click(castButton());
    await waitFor(() => expect(currentToast.get()).toMatchObject({ text: 'Said by the server: OVERLOADED' }));
    expect(screen.getByText('Said by the server: OVERLOADED')).toBeTruthy();
  });

  test('a second time shows what was recorded before', async () => {
    await show();
    answers[voteCall] = () => refusal(409, 'ALREADY_VOTED', { userVote: 'option-2', poll: voted });
    answers[pollCall] = () => Response.json(voted);
    vote('Bus');
    await waitFor(() => expect(screen.getByText(/You chose/).textContent).toContain('Tram'));
    expect(currentToast.get()).toMatchObject({ destructive: true });
  });

  test('on a poll that has closed meanwhile shows how it ended', async () => {
    await show();
    answers[voteCall] = () => refusal(409, 'POLL_CLOSED');
    answers[pollCall] = () => Response.json(closed);
    vote('Bus');
    await waitFor(() => expect(screen.getByText('Total: 9 votes')).toBeTruthy());
    expect(screen.getByText('This poll has ended and is no longer accepting votes.')).toBeTruthy();
  });
});

describe('whether this visitor has voted', () => {
  test('is asked for when the page wakes up, by the device id', async () => {
    answers[statusCall] = () => Response.json({ hasVoted: true, optionId: 'option-3' });
    await show();
    await waitFor(() => expect(screen.getByText(/You chose/).textContent).toContain('Bicycle'));
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('stays unknown when that fails, which is only logged', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    answers[statusCall] = () => refusal(500, 'INTERNAL_ERROR');
    await show();
    await waitFor(() => expect(warned).toHaveBeenCalledWith('The vote status could not be read.', 500));
    expect(currentToast.get()).toBeNull();
    expect(screen.getAllByRole('radio')).toHaveLength(4);
  });
});

test('a poll that has not started shows its options and when voting begins, and turns into an open one then', async () => {
  const startsAt = new Date(now + 30_000).toISOString();
  const soon = { ...open, startsAt };
  answers[pollCall] = () => Response.json(soon);
  await show(soon, false);
  expect(screen.getByText('Not Started')).toBeTruthy();
  expect(screen.getByText('Voting begins on Nov 21, 2026, 08:00 UTC. These are the options.')).toBeTruthy();
  expect(screen.getByText(/^Starts/)).toBeTruthy();
  expect(screen.getByText('Bus')).toBeTruthy();
  expect(screen.queryByRole('radio')).toBeNull();
  await vi.advanceTimersByTimeAsync(31_000);
  await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(4));
});

test('a closed poll shows its results to everybody', async () => {
  answers[pollCall] = () => Response.json(closed);
  await show(closed);
  expect(screen.getByText('Closed')).toBeTruthy();
  expect(screen.getByText(/^Ended/).textContent).toBe('Ended 1 hour ago');
  expect(screen.getByText('This poll has ended and is no longer accepting votes.')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toContain('Tram56%5 votes');
  expect(screen.queryByRole('button', { name: 'Cast Vote' })).toBeNull();
});

describe('while the page is open', () => {
  test('votes of others arrive without a reload', async () => {
    answers[pollCall] = () => Response.json(voted);
    await show(voted);
    answers[pollCall] = () => Response.json({ ...voted, options: withVotes([2, 8, 1, 1]), totalVotes: 12 });
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByText('Total: 12 votes')).toBeTruthy());
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('nothing is asked while nobody looks, and at once when somebody looks again', async () => {
    await show();
    await waitFor(() => expect(calls(pollCall)).toHaveLength(1));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    window.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10 * limits.communityRefetchMs);
    expect(calls(pollCall)).toHaveLength(1);
    visibility.mockReturnValue('visible');
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(calls(pollCall)).toHaveLength(2));
  });

  test('a poll that closes turns into its results, and says so', async () => {
    await show();
    answers[pollCall] = () => Response.json(closed);
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Final Results' })).toBeTruthy());
    expect(screen.getByRole('status').textContent).toContain('This poll has ended. Bus: 22%');
  });

  test.each([
    [401, 'PRIVATE_POLL_AUTH_REQUIRED', 'Authentication Required', 'requires you to be logged in'],
    [403, 'PRIVATE_POLL_ACCESS_DENIED', 'Access Denied', 'Only the poll creator and invited users can access it.'],
    [404, 'POLL_NOT_FOUND', 'Poll Not Found', "doesn't exist or may have been removed."],
  ])('a poll that is refused with %i disappears, with the reason', async (status, code, title, text) => {
    await show();
    answers[pollCall] = () => refusal(status, code);
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(title));
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(screen.queryByText(open.question)).toBeNull();
    const login = screen.queryByRole('link', { name: 'Log In' });
    expect(login?.getAttribute('href')).toBe(status === 401 ? '/api/login?next=%2Fcommunity-polls%2Fp1' : undefined);
    const before = calls(pollCall).length;
    await vi.advanceTimersByTimeAsync(10 * limits.communityRefetchMs);
    expect(calls(pollCall)).toHaveLength(before);
  });

  test('a service that is away leaves the poll on the screen, and says so', async () => {
    answers[pollCall] = () => Promise.reject(new TypeError('Failed to fetch'));
    await show();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('cannot be reached'));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(open.question);
  });
});

describe('the creator', () => {
  const mine: Poll = { ...open, isMine: true };
  const closeCall = 'POST /api/community-polls/p1/close';
  const deleteCall = 'DELETE /api/community-polls/p1';

  test('closes the poll early, asked first', async () => {
    answers[pollCall] = () => Response.json(mine);
    await show(mine);
    answers[closeCall] = () => Response.json({ ...closed, isMine: true });
    answers[pollCall] = () => Response.json({ ...closed, isMine: true });
    fireEvent.click(screen.getByRole('button', { name: 'Close Poll' }));
    const dialog = screen.getByRole('dialog', { name: 'Close this poll now?' });
    expect(calls(closeCall)).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close Poll' }));
    await waitFor(() => expect(screen.getByText('Closed')).toBeTruthy());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Close Poll' })).toBeNull();
  });

  test('deletes the poll, asked first, and comes to the list, which says so', async () => {
    answers[pollCall] = () => Response.json(mine);
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    await show(mine);
    answers[deleteCall] = () => new Response(null, { status: 204 });
    fireEvent.click(screen.getByRole('button', { name: 'Delete Poll' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Poll' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/community-polls'));
    expect(sessionStorage.getItem('weathervane-toast')).toContain('Poll Deleted');
  });

  test('hears in the dialog why it did not work', async () => {
    answers[pollCall] = () => Response.json(mine);
    await show(mine);
    answers[deleteCall] = () => refusal(403, 'FORBIDDEN');
    fireEvent.click(screen.getByRole('button', { name: 'Delete Poll' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Poll' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Said by the server: FORBIDDEN'));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete Poll' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('of a poll that is not private has nobody to invite, and others have none of these tools', async () => {
    answers[pollCall] = () => Response.json(mine);
    await show(mine);
    expect(screen.queryByRole('heading', { name: 'Invite people' })).toBeNull();
    cleanup();
    queryClient().clear();
    answers[pollCall] = () => Response.json({ ...open, visibility: 'private' });
    asked = [];
    await show({ ...open, visibility: 'private' });
    for (const name of ['Invite people', 'Your Poll']) expect(screen.queryByRole('heading', { name })).toBeNull();
    expect(screen.getByText('Only the creator and invited people can open this link.')).toBeTruthy();
  });
});

test('the share box shows the link, and for an unlisted poll who can open it', async () => {
  answers[pollCall] = () => Response.json({ ...open, visibility: 'unlisted' });
  await show({ ...open, visibility: 'unlisted' });
  expect(screen.getByText('Unlisted Poll')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Link to this poll').value).toBe(url);
  expect(screen.getByText('Whoever has this link can open the poll.')).toBeTruthy();
});

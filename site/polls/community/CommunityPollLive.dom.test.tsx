import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CommunityPoll as Poll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import {
  changePoll,
  closed,
  open,
  pollCall,
  refusal,
  service,
  servePoll,
  show,
  voted,
  withVotes,
} from './fixtures/community-api.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(servePoll);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('while the page is open', () => {
  test('votes by others appear without a reload', async () => {
    await show(voted);
    changePoll({ ...voted, options: withVotes([2, 8, 1, 1]), totalVotes: 12 });
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByText('Total: 12 votes')).toBeTruthy());
    expect(screen.getAllByRole('status').every(({ textContent }) => textContent === '')).toBe(true);
  });

  test('nothing is requested while the page is hidden, and immediately when it is visible again', async () => {
    await show();
    await waitFor(() => expect(service.calls(pollCall)).toHaveLength(1));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    window.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10 * limits.communityRefetchMs);
    expect(service.calls(pollCall)).toHaveLength(1);
    visibility.mockReturnValue('visible');
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(service.calls(pollCall)).toHaveLength(2));
  });

  test('a poll that closes turns into its results and says so', async () => {
    await show();
    changePoll(closed);
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Final Results' })).toBeTruthy());
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said.join()).toContain('This poll has ended. Bus: 22%');
  });

  test.each([
    [401, 'PRIVATE_POLL_AUTH_REQUIRED', 'Authentication Required', 'requires you to be logged in'],
    [403, 'PRIVATE_POLL_ACCESS_DENIED', 'Access Denied', 'Only the poll creator and invited users can access it.'],
    [404, 'POLL_NOT_FOUND', 'Poll Not Found', "doesn't exist or may have been removed."],
  ])(
    '[S2.102 S7.21 S8.17 S8.18 S8.19] a poll refused with %i disappears, and the reason is shown',
    async (status, code, title, text) => {
      await show();
      service.answers[pollCall] = () => refusal(status, code);
      await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
      await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(title));
      expect(screen.getByRole('alert').textContent).toContain(text);
      expect(screen.queryByText(open.question)).toBeNull();
      const login = screen.queryByRole('link', { name: 'Log In' });
      expect(login?.getAttribute('href')).toBe(status === 401 ? '/api/login?next=%2Fcommunity-polls%2Fp1' : undefined);
      const before = service.calls(pollCall).length;
      await vi.advanceTimersByTimeAsync(10 * limits.communityRefetchMs);
      expect(service.calls(pollCall)).toHaveLength(before);
    },
  );

  test('an unavailable service leaves the poll on the screen and says so', async () => {
    await show();
    service.answers[pollCall] = () => Promise.reject(new TypeError('Failed to fetch'));
    await vi.advanceTimersByTimeAsync(limits.communityRefetchMs + 100);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('can’t reach the service'));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(open.question);
  });
});

describe('the creator', () => {
  const mine: Poll = { ...open, isMine: true };
  const closeCall = 'POST /api/community-polls/p1/close';
  const deleteCall = 'DELETE /api/community-polls/p1';

  test('closes the poll early after confirmation', async () => {
    await show(mine);
    service.answers[closeCall] = () => Response.json({ ...closed, isMine: true });
    changePoll({ ...closed, isMine: true });
    fireEvent.click(await screen.findByRole('button', { name: 'Close Poll' }));
    const dialog = screen.getByRole('dialog', { name: 'Close this poll now?' });
    expect(service.calls(closeCall)).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close Poll' }));
    await waitFor(() => expect(screen.getByText('Closed')).toBeTruthy());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Close Poll' })).toBeNull();
  });

  test('deletes the poll after confirmation and returns to the list, which says so', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    await show(mine);
    service.answers[deleteCall] = () => new Response(null, { status: 204 });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete Poll' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Poll' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/community-polls'));
    expect(sessionStorage.getItem('weathervane-toast')).toContain('Poll Deleted');
  });

  test('sees in the dialog why an action failed', async () => {
    await show(mine);
    service.answers[deleteCall] = () => refusal(403, 'FORBIDDEN');
    fireEvent.click(await screen.findByRole('button', { name: 'Delete Poll' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Poll' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Said by the server: FORBIDDEN'));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete Poll' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('[D6.6] of a non-private poll can’t invite anyone, and others have none of these tools', async () => {
    await show(mine);
    expect(await screen.findByRole('heading', { name: 'Your Poll' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Invite people' })).toBeNull();
    cleanup();
    queryClient().clear();
    service.requests = [];
    service.answers['GET /api/community-polls/p1/invites'] = () => Response.json([]);
    await show({ ...mine, visibility: 'private' });
    for (const name of ['Invite people', 'Your Poll'])
      expect(await screen.findByRole('heading', { name })).toBeTruthy();
    cleanup();
    queryClient().clear();
    service.requests = [];
    await show({ ...open, visibility: 'private' });
    for (const name of ['Invite people', 'Your Poll']) expect(screen.queryByRole('heading', { name })).toBeNull();
    expect(screen.getByText('Only the creator and invited people can open this link.')).toBeTruthy();
  });
});

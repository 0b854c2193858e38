import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { anna, clearSignInHint, signInHint } from './fixtures/community-api.tsx';
import JoinPoll from './JoinPoll.island.tsx';

let answer: () => Response;
let sent: { path: string; body: unknown }[];
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined);

beforeEach(() => {
  sent = [];
  answer = () => Response.json({ id: 'p1' });
  history.replaceState(null, '', '/community-polls/join#invite=secret-of-the-link');
  vi.stubGlobal('fetch', (path: string, init: { body?: string }) => {
    if (path === '/api/user') return Promise.resolve(Response.json(anna));
    sent.push({ path, body: JSON.parse(init.body!) as unknown });
    return Promise.resolve(answer());
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  sessionStorage.clear();
  clearSignInHint();
  leave.mockClear();
  vi.unstubAllGlobals();
});

const joinButton = () => screen.findByRole('button', { name: 'Join Poll' });

test('a member joins with a click, not by opening the link, and gets to the poll', async () => {
  signInHint();
  render(<JoinPoll />);
  const button = await joinButton();
  expect(screen.getByText(/^Join as anna/)).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.click(button);
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/community-polls/p1'));
  expect(sent).toEqual([{ path: '/api/user/invitations', body: { token: 'secret-of-the-link' } }]);
  expect(sessionStorage).toHaveLength(0);
});

test('a visitor registers or signs in first, and comes back to the same invitation', async () => {
  const { unmount } = render(<JoinPoll />);
  const register = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Register' });
  const back = '/auth?next=%2Fcommunity-polls%2Fjoin';
  expect(register.getAttribute('href')).toBe(`${back}#register`);
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(back);
  unmount();
  queryClient().clear();
  // The way back has no secret in its address.
  history.replaceState(null, '', '/community-polls/join');
  signInHint();
  render(<JoinPoll />);
  fireEvent.click(await joinButton());
  await waitFor(() => expect(leave).toHaveBeenCalled());
  expect(sent[0]?.body).toEqual({ token: 'secret-of-the-link' });
});

test('a link that doesn’t work anymore says so, and an incomplete one has no button', async () => {
  signInHint();
  answer = () => Response.json({ code: 'INVALID_INVITE_LINK', message: 'Expired.' }, { status: 404 });
  const { unmount } = render(<JoinPoll />);
  fireEvent.click(await joinButton());
  expect((await screen.findByRole('alert')).textContent).toBe('Expired.');
  expect(leave).not.toHaveBeenCalled();
  unmount();
  sessionStorage.clear();
  history.replaceState(null, '', '/community-polls/join');
  render(<JoinPoll />);
  expect(await screen.findByText(/^This page needs the complete link/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

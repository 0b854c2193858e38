import { useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { callApi } from './api.ts';
import { AuthProvider, signedOut, signOut, useAuth, userChanged } from './auth.tsx';
import { queryClient } from './query-client.ts';

const anna: User = {
  id: 'u1',
  username: 'anna',
  email: null,
  firstName: 'Anna',
  lastName: null,
  profileImageUrl: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
};
const signInHint = () => (document.cookie = 'wv_account=1; path=/');
const unauthenticated = () =>
  Response.json({ message: 'Please sign in first.', code: 'UNAUTHENTICATED' }, { status: 401 });

let asked: string[];
let answer: (path: string) => Response | Promise<Response>;

beforeEach(() => {
  asked = [];
  answer = () => Response.json(anna);
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(answer(path));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

function Who() {
  const { status, user, error } = useAuth();
  return <p>{[status, user?.firstName, error?.message].filter(Boolean).join(' ')}</p>;
}
const island = (
  <AuthProvider>
    <Who />
  </AuthProvider>
);
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

test('[S4.1] pre-rendered HTML does not know the reader', () => {
  signInHint();
  expect(renderToString(island)).toBe('<p>loading</p>');
  expect(asked).toEqual([]);
});

test('[S4.1 S6.3] readers without an account cause no request', async () => {
  render(island);
  await shows('signed-out');
  expect(asked).toEqual([]);
});

test('[S4.1 S7.5] two islands of a page share one request and agree', async () => {
  signInHint();
  render(island);
  render(island);
  await waitFor(() => expect(screen.getAllByText('signed-in Anna')).toHaveLength(2));
  render(island);
  expect(screen.getAllByText('signed-in Anna')).toHaveLength(3);
  expect(asked).toEqual(['/api/user']);
});

test('[S4.1 S7.5] an ended session signs nobody in and is requested only once', async () => {
  signInHint();
  answer = unauthenticated;
  render(island);
  await shows('signed-out');
  render(island);
  await waitFor(() => expect(screen.getAllByText('signed-out')).toHaveLength(2));
  expect(asked).toEqual(['/api/user']);
});

test('an unavailable service signs nobody in, and the reason is known', async () => {
  signInHint();
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  render(island);
  await shows('signed-out 0: no response');
});

test('the end of a session is noticed by the next call that needs one', async () => {
  signInHint();
  function Figures() {
    const { refetch } = useQuery(
      { queryKey: ['figures'], queryFn: () => callApi('userSummary'), enabled: false },
      queryClient(),
    );
    return <button onClick={() => void refetch()}>figures</button>;
  }
  render(island);
  render(<Figures />);
  await shows('signed-in Anna');
  answer = unauthenticated;
  act(() => screen.getByRole('button').click());
  await shows('signed-out');
  expect(document.cookie).not.toContain('wv_account');
});

test('[S4.2] signing out ends the session, drops the member here, and notifies other tabs', async () => {
  signInHint();
  const other = new BroadcastChannel('weathervane-account');
  const heard = new Promise((resolve) => (other.onmessage = ({ data }) => resolve(data)));
  render(island);
  await shows('signed-in Anna');
  queryClient().setQueryData(['private'], 'mine');
  answer = () => new Response(null, { status: 204 });
  await act(signOut);
  await shows('signed-out');
  expect(asked).toEqual(['/api/user', '/api/logout']);
  await waitFor(() => expect(queryClient().getQueryData(['private'])).toBeUndefined());
  expect(document.cookie).not.toContain('wv_account');
  expect(await heard).toBe('signed-out');
  other.close();
});

test('a sign-out that does not reach the server changes nothing', async () => {
  signInHint();
  render(island);
  await shows('signed-in Anna');
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(signOut()).rejects.toThrow('0: no response');
  await shows('signed-in Anna');
});

test('[S4.2] a tab follows sign-outs, sign-ins, and name changes in other tabs', async () => {
  signInHint();
  const other = new BroadcastChannel('weathervane-account');
  render(island);
  await shows('signed-in Anna');
  other.postMessage('signed-out');
  await shows('signed-out');
  other.postMessage('signed-in');
  await shows('signed-in Anna');
  answer = () => Response.json({ ...anna, firstName: 'Anne' });
  other.postMessage('changed');
  await shows('signed-in Anne');
  act(() => userChanged(anna));
  await shows('signed-in Anna');
  act(signedOut);
  await shows('signed-out');
  other.close();
});

test('a page that becomes visible again notices that the session has ended', async () => {
  signInHint();
  render(island);
  await shows('signed-in Anna');
  document.cookie = 'wv_account=; path=/; max-age=0';
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await shows('signed-out');
});

test('[S8.22] using the sign-in state outside its provider names the missing provider', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => render(<Who />)).toThrow('useAuth must be used within an AuthProvider');
  quiet.mockRestore();
});

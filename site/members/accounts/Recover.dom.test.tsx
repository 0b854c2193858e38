import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { showStoredToast } from '#site/ui/stored-toast.ts';
import { currentToast } from '#site/ui/toasts.ts';
import Recover from './Recover.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const anna: User = {
  id: 'u1',
  username: 'anna',
  email: null,
  firstName: null,
  lastName: null,
  profileImageUrl: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
};
let sent: { path: string; body: unknown }[];
let answer: () => Response;
const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);

beforeEach(() => {
  sent = [];
  answer = () => Response.json(anna);
  currentToast.set(null);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    sent.push({ path, body: JSON.parse(init.body as string) as unknown });
    return Promise.resolve(answer());
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  leave.mockClear();
  history.replaceState(null, '', '/auth/recover');
  vi.unstubAllGlobals();
});

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const write = (label: string, value: string) => fireEvent.input(field(label), { target: { value } });
const submit = () =>
  fireEvent.submit(screen.getByRole('button', { name: 'Set password and sign in' }).closest('form')!);

test('a member signs in with a recovery code and a new password', async () => {
  render(<Recover sendsMail={false} />);
  write('Username', ' anna ');
  write('Recovery code', ' abcdef-ghjkmn-pqrstu-vwxyz2 ');
  write('New password', 'another windy day');
  submit();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/profile/account'));
  const body = { username: 'anna', code: 'abcdef-ghjkmn-pqrstu-vwxyz2', newPassword: 'another windy day' };
  expect(sent).toEqual([{ path: '/api/recover', body }]);
  showStoredToast();
  expect(currentToast.get()?.title).toBe('Password changed');
});

test('a wrong code is reported, and what was typed stays', async () => {
  answer = () =>
    Response.json(
      { code: 'INVALID_RECOVERY_CODE', message: 'The username or the recovery code is wrong.' },
      { status: 401 },
    );
  render(<Recover sendsMail={false} />);
  write('Username', 'anna');
  write('Recovery code', 'abcdef');
  write('New password', 'another windy day');
  submit();
  await screen.findByText('The username or the recovery code is wrong.');
  expect(document.activeElement).toBe(field('Recovery code'));
  expect(field('New password').value).toBe('another windy day');
  expect(leave).not.toHaveBeenCalled();
});

test('a reset link asks for the new password only', async () => {
  history.replaceState(null, '', '/auth/recover#reset=secret-of-the-link&username=anna');
  render(<Recover sendsMail={false} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Choose a new password');
  expect(screen.queryByLabelText('Username')).toBeNull();
  // Where password managers look for the account that they save a password for.
  const username = document.querySelector<HTMLInputElement>('input[autocomplete="username"]')!;
  expect([username.value, username.hidden]).toEqual(['anna', true]);
  write('New password', 'another windy day');
  submit();
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/profile/account'));
  const body = { token: 'secret-of-the-link', newPassword: 'another windy day' };
  expect(sent).toEqual([{ path: '/api/reset-password', body }]);
});

test('an expired link says so, and what was typed stays', async () => {
  const message = 'This link has expired or was already used. Ask for a new one.';
  answer = () => Response.json({ code: 'INVALID_RESET_LINK', message }, { status: 401 });
  history.replaceState(null, '', '/auth/recover#reset=secret-of-the-link');
  render(<Recover sendsMail={false} />);
  write('New password', 'another windy day');
  submit();
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(field('New password').value).toBe('another windy day');
});

test('a link that is opened in the same tab replaces the form for codes', () => {
  render(<Recover sendsMail={false} />);
  expect(field('Recovery code')).toBeTruthy();
  history.replaceState(null, '', '/auth/recover#reset=secret-of-the-link');
  act(() => void dispatchEvent(new Event('hashchange')));
  expect(screen.queryByLabelText('Recovery code')).toBeNull();
});

test('on a site that sends mail, a member asks for a link; the answer does not tell whether the account exists', async () => {
  answer = () => new Response(null, { status: 204 });
  render(<Recover sendsMail />);
  write('Username or email', ' anna@example.org ');
  fireEvent.submit(screen.getByRole('button', { name: 'Email me a link' }).closest('form')!);
  expect(await screen.findByText(/^If the account exists/)).toBe(document.activeElement);
  expect(sent).toEqual([{ path: '/api/request-password-reset', body: { username: 'anna@example.org' } }]);
});

test('the link by email comes before the recovery codes', () => {
  render(<Recover sendsMail />);
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Get a link by email', 'Use a recovery code']);
});

test('a site that sends no mail offers no link by email', () => {
  render(<Recover sendsMail={false} />);
  expect(screen.queryByText('Get a link by email')).toBeNull();
});

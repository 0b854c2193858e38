import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminPassword, adminMember } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import SettingsPage from './SettingsPage.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const at = '2026-11-20T08:00:00.000Z';
const olga = { id: 'u1', username: 'olga', firstName: null, lastName: null, email: null, profileImageUrl: null };
const person = (username: string, role: string, you = false) => ({
  ...{ id: username, username, name: username, role, createdAt: at, invitedBy: 'operator', passkeys: 1, you },
});
let sent: { call: string; body: unknown }[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  history.replaceState(null, '', '/admin/settings');
  answers = {
    'GET /api/user': () => Response.json(olga),
    'GET /api/admin/operators': () =>
      Response.json({
        operators: [person('olga', 'owner', true), person('mo', 'moderator')],
        invitations: [{ id: 7, role: 'editor', madeBy: 'olga', createdAt: at, expiresAt: at }],
        sharedPassword: true,
      }),
    'GET /api/admin/webhooks': () => Response.json({ webhooks: [] }),
    'GET /api/admin/tokens': () => Response.json({ tokens: [] }),
    'GET /api/admin/desk-mail': () => Response.json({ sendsMail: false, member: true, address: null, on: false }),
  };
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    const call = `${init.method ?? 'GET'} ${path}`;
    sent.push({ call, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    const answer = answers[call] ?? answers[call.replace(/\?.*/, '')];
    return Promise.resolve(answer?.() ?? new Response(null, { status: 204 }));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminPassword.set(null);
  adminMember.set(null);
  currentToast.set(null);
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

const asOwner = () => adminMember.set({ name: 'olga', role: 'owner', member: true });
const calls = () => sent.map(({ call }) => call);
const bodyOf = (call: string) => sent.find((one) => one.call === call)?.body;

test('owners see who the operators are, change roles, and revoke invitations', async () => {
  asOwner();
  render(<SettingsPage />);
  const list = within(await screen.findByRole('list', { name: 'Operators' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('since Nov 20, 2026, invited by operator, 1 passkey') as string,
    expect.stringMatching(/^mo/) as string,
  ]);
  fireEvent.change(list.getByLabelText('Role of mo'), { target: { value: 'editor' } });
  expect(calls()).not.toContain('PATCH /api/admin/operators/mo');
  fireEvent.click(list.getByRole('button', { name: 'Save the role of mo' }));
  await waitFor(() => expect(bodyOf('PATCH /api/admin/operators/mo')).toEqual({ role: 'editor' }));
  fireEvent.click(await screen.findByRole('button', { name: /Revoke the invitation as editor/ }));
  await waitFor(() => expect(calls()).toContain('DELETE /api/admin/invitations/7'));
});

test('an invitation link is shown once, to be copied', async () => {
  asOwner();
  const link = 'https://polls.example.org/admin/settings#invitation=secret';
  answers['POST /api/admin/invitations'] = () =>
    Response.json(
      { id: 8, role: 'moderator', madeBy: 'olga', createdAt: at, expiresAt: at, url: link },
      { status: 201 },
    );
  render(<SettingsPage />);
  fireEvent.change(await screen.findByLabelText('Role of the new operator'), { target: { value: 'moderator' } });
  fireEvent.submit(screen.getByRole('button', { name: 'Make an invitation link' }).closest('form')!);
  expect((await screen.findByLabelText<HTMLInputElement>('Invitation link')).value).toBe(link);
  expect(bodyOf('POST /api/admin/invitations')).toEqual({ role: 'moderator' });
});

test('a token needs a name and a scope, and is shown once', async () => {
  asOwner();
  const token = {
    ...{ id: 1, name: 'Nightly', scopes: ['import'], madeBy: 'olga', createdAt: at, expiresAt: null, lastUsedAt: null },
  };
  answers['POST /api/admin/tokens'] = () => {
    answers['GET /api/admin/tokens'] = () => Response.json({ tokens: [token] });
    return Response.json({ ...token, token: 'wv_secret' }, { status: 201 });
  };
  render(<SettingsPage />);
  const submit = () => fireEvent.submit(screen.getByRole('button', { name: 'Create a token' }).closest('form')!);
  await screen.findByText('No tokens.');
  submit();
  expect(screen.getByText('Please enter a name.')).toBeTruthy();
  expect(screen.getByText('Choose at least one.')).toBeTruthy();
  fireEvent.input(screen.getByLabelText('Name'), { target: { value: ' Nightly ' } });
  fireEvent.click(screen.getByLabelText('Import polls'));
  fireEvent.change(screen.getByLabelText('Expires'), { target: { value: '0' } });
  submit();
  expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toBe('wv_secret');
  expect(bodyOf('POST /api/admin/tokens')).toEqual({ name: 'Nightly', scopes: ['import'], expiresAt: null });
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke Nightly' }));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByLabelText('Token')).toBeNull());
});

test('the holder of the shared password makes the signed-in member the owner, who goes on as that member', async () => {
  document.cookie = 'wv_account=1; path=/';
  adminPassword.set('secret');
  render(<SettingsPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Make yourself the owner' }));
  await waitFor(() => expect(calls()).toContain('POST /api/admin/operators'));
  expect(await screen.findByText('olga', { selector: 'header bdi' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Make yourself the owner' })).toBeNull();
  expect(screen.queryByText('Sign in as yourself to turn it off.')).toBeNull();
  expect(sessionStorage.getItem('adminPassword')).toBeNull();
  await waitFor(() => expect(calls().filter((call) => call === 'GET /api/admin/operators')).toHaveLength(2));
});

test('an invitation names its role, is kept out of the address while the person signs in, and then accepted', async () => {
  history.replaceState(null, '', '/admin/settings#invitation=secret');
  answers['POST /api/operator-invitation'] = () => Response.json({ role: 'editor' });
  const { unmount } = render(<SettingsPage />);
  expect(await screen.findByText('You’d be an editor: polls, imports, articles, and publishing.')).toBeTruthy();
  expect(bodyOf('POST /api/operator-invitation')).toEqual({ token: 'secret' });
  expect(await screen.findByRole('heading', { name: 'You’re invited to help run this site' })).toBeTruthy();
  expect(location.hash).toBe('');
  const link = await screen.findByRole('link', { name: 'Sign in or register' });
  expect(link.getAttribute('href')).toBe('/auth?next=%2Fadmin%2Fsettings');
  unmount();

  document.cookie = 'wv_account=1; path=/';
  answers['POST /api/user/operator-invitation'] = () => Response.json({ role: 'editor' });
  answers['GET /api/admin/session'] = () => Response.json({ name: 'olga', role: 'editor', member: true });
  render(<SettingsPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByText(/for the owners of this site/)).toBeTruthy();
  expect(bodyOf('POST /api/user/operator-invitation')).toEqual({ token: 'secret' });
  expect(sessionStorage.getItem('operatorInvitation')).toBeNull();
});

import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { adminPassword, callAdmin, confirmationRequest, adminMember, hasLeft } from './admin-session.ts';
import { AdminPage } from './AdminPage.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));
const signed = { credentialId: 'c' };
vi.mock('#site/client/passkey-browser.ts', () => ({
  signWithPasskey: () => Promise.resolve(signed),
  reportUnknownPasskey: () => Promise.resolve(),
}));

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly password: string | null;
}
let sent: Sent[];
let answer: (path: string, method: string) => Response;
const refusal = (status: number, code: string, more = {}) =>
  Response.json({ code, message: code, ...more }, { status });
const done = () => new Response(null, { status: 204 });
const olga = { id: 'u1', username: 'olga', firstName: null, lastName: null, email: null, profileImageUrl: null };
const session = { name: 'olga', role: 'owner', member: true };

beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  history.replaceState(null, '', '/admin/polls?poll=tea');
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({ path, body, password: new Headers(init.headers).get('x-admin-password') });
    return Promise.resolve(answer(path, init.method ?? 'GET'));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminPassword.set(null);
  adminMember.set(null);
  hasLeft.set(false);
  currentToast.set(null);
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

const show = () =>
  render(
    <AdminPage page="settings">
      <p>The content of the page</p>
    </AdminPage>,
  );
const signIn = () => (document.cookie = 'wv_account=1; path=/');
const isOpen = async () => expect(await screen.findByText('The content of the page')).toBeTruthy();

test('visitors are asked for the shared password, and can sign in as themselves and come back', async () => {
  answer = done;
  show();
  expect(screen.getByRole('heading', { name: 'Admin Access' })).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Sign in as yourself' });
  expect(link.getAttribute('href')).toBe('/auth?next=%2Fadmin%2Fpolls%3Fpoll%3Dtea');
  fireEvent.input(screen.getByLabelText('Admin password'), { target: { value: 'secret' } });
  fireEvent.submit(screen.getByRole('button', { name: 'Continue' }).closest('form')!);
  await isOpen();
  expect(sent).toEqual([{ path: '/api/admin/session', body: { password: 'secret' }, password: null }]);
});

test('the admin pages open for an operator whose session is confirmed, and logging out signs the member out', async () => {
  signIn();
  answer = (path) =>
    path === '/api/user' ? Response.json(olga) : path === '/api/logout' ? done() : Response.json(session);
  show();
  await isOpen();
  expect(sent.map(({ path }) => path)).toEqual(['/api/user', '/api/admin/session']);
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Admin Access' })).toBeTruthy();
  expect(sent.at(-1)?.path).toBe('/api/logout');
});

test('whoever leaves with the shared password is not let in again as a member unasked', async () => {
  signIn();
  answer = (path) => Response.json(path === '/api/user' ? olga : session);
  adminPassword.set('secret');
  show();
  await isOpen();
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Open the admin pages as olga' }));
  await isOpen();
  expect(screen.getByText('olga').parentElement?.textContent).toBe('olga, owner');
});

test('a member who is no operator reads that, and can still use the shared password', async () => {
  signIn();
  answer = (path) => (path === '/api/user' ? Response.json(olga) : refusal(401, 'ADMIN_REQUIRED'));
  show();
  expect(await screen.findByText(/You’re signed in as olga, who isn’t an operator/)).toBeTruthy();
  expect(screen.getByLabelText('Admin password')).toBeTruthy();
});

test('an operator with a passkey gives it after the password', async () => {
  signIn();
  let confirmed = false;
  answer = (path) => {
    if (path === '/api/user') return Response.json(olga);
    if (path === '/api/login/passkey/challenge') return Response.json({ challenge: 'c', rpId: 'localhost' });
    if (path === '/api/user/confirmation') {
      confirmed = true;
      return done();
    }
    return confirmed ? Response.json(session) : refusal(403, 'CONFIRMATION_REQUIRED', { confirmation: 'passkey' });
  };
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  await isOpen();
  expect(sent.find(({ path }) => path === '/api/user/confirmation')?.body).toEqual({ passkey: signed });
});

test('an operator sees the pages of the role, and what other pages are for', () => {
  answer = done;
  adminMember.set({ name: 'mo', role: 'moderator', member: true });
  const { unmount } = show();
  const pages = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(pages).toEqual(expect.arrayContaining(['Today', 'Moderation', 'Settings']));
  expect(pages.filter((page) => page === 'Imports' || page === 'Content')).toEqual([]);
  unmount();
  render(<AdminPage page="imports">The content of the page</AdminPage>);
  expect(
    screen.getByText('This page is for editors and owners. Ask an owner of this site if you need it.'),
  ).toBeTruthy();
  expect(screen.queryByText('The content of the page')).toBeNull();
});

test('a dangerous action asks for the password in a dialog and is then carried out; canceled, it is not', async () => {
  adminMember.set({ name: 'olga', role: 'owner', member: true });
  let confirmed = false;
  answer = (path) => {
    if (path === '/api/user/confirmation') {
      confirmed = true;
      return done();
    }
    return confirmed ? done() : refusal(403, 'CONFIRMATION_REQUIRED', { confirmation: 'any' });
  };
  show();
  const remove = () => callAdmin('removeOperator', { params: { id: 'u2' } });
  const canceled = remove();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect(canceled).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect(confirmationRequest.get()).toBeNull();

  const removed = remove();
  fireEvent.submit((await screen.findByRole('button', { name: 'Confirm' })).closest('form')!);
  expect(screen.getByText('Please enter your password.')).toBeTruthy();
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'my own' } });
  fireEvent.submit(screen.getByRole('button', { name: 'Confirm' }).closest('form')!);
  await removed;
  expect(sent.slice(-2).map(({ path, body }) => [path, body])).toEqual([
    ['/api/user/confirmation', { password: 'my own' }],
    ['/api/admin/operators/u2', undefined],
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('when the admin pages have closed, queries ask once; canceled, the page itself asks, and no dialog opens again', async () => {
  signIn();
  adminMember.set({ name: 'olga', role: 'owner', member: true });
  answer = (path) =>
    path === '/api/user' ? Response.json(olga) : refusal(403, 'CONFIRMATION_REQUIRED', { confirmation: 'any' });
  show();
  const load = () => callAdmin('operators', { signal: new AbortController().signal });
  const canceled = load();
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await expect(canceled).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect(await screen.findByText(/Confirm it’s you to open the admin pages/)).toBeTruthy();
  await expect(load()).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect(confirmationRequest.get()).toBeNull();
});

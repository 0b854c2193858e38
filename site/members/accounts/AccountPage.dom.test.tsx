import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { AccountSecurity } from '#api/members/accounts/account-security.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { signedOutHere } from '#site/client/auth.tsx';
import { showStoredToast } from '#site/ui/stored-toast.ts';
import { currentToast } from '#site/ui/toasts.ts';
import AccountPage from './AccountPage.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));
const createPasskey = vi.fn();
vi.mock('#site/client/passkey-browser.ts', () => ({ createPasskey }));

const anna: User = {
  id: 'u1',
  username: 'anna_1',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Berg',
  profileImageUrl: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
};
const email = { confirmed: true, pending: null, sendsMail: true };
const picture = `/api/pictures/${'a'.repeat(43)}`;

let sent: { method: string; path: string; body: unknown }[];
let answer: (path: string, method: string) => Response | Promise<Response>;
let security: AccountSecurity;
const noContent = () => new Response(null, { status: 204 });
const complete = vi.spyOn(HTMLImageElement.prototype, 'complete', 'get');

beforeEach(() => {
  sent = [];
  answer = () => Response.json(anna);
  security = { email, passkeys: [], recoveryCodes: 8, sessions: [], signIns: [] };
  complete.mockReturnValue(false);
  currentToast.set(null);
  signedOutHere.set(false);
  history.replaceState(null, '', '/profile/account');
  document.cookie = 'wv_account=1; path=/';
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const method = init.method ?? 'GET';
    const body: unknown = init.body instanceof Blob ? init.body : JSON.parse((init.body ?? 'null') as string);
    if (method !== 'GET') sent.push({ method, path, body });
    return Promise.resolve(path === '/api/user/security' ? Response.json(security) : answer(path, method));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

const show = async () => {
  render(<AccountPage />);
  await screen.findByText('Signed in as');
};
const part = (heading: string) => within(screen.getByRole('region', { name: heading }));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const write = (label: string, text: string) => {
  fireEvent.input(field(label), { target: { value: text } });
  fireEvent.blur(field(label));
};
const press = (name: string) => fireEvent.submit(screen.getByRole('button', { name }).closest('form')!);
const said = (title: string) => waitFor(() => expect(currentToast.get()?.title).toBe(title));
const problemOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby')!.split(' ')[0]!)!.textContent;

test('guests are asked to sign in and return here afterward', async () => {
  document.cookie = 'wv_account=; path=/; max-age=0';
  render(<AccountPage />);
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Access Denied');
  expect(screen.getByText('You need to sign in to view your profile.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(
    '/api/login?next=%2Fprofile%2Faccount',
  );
});

test('an unavailable service is reported and can be retried', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  render(<AccountPage />);
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t show this page right now');
  answer = () => Response.json(anna);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Signed in as');
});

test('the name is previewed as others see it, and saved', async () => {
  await show();
  write('First name', ' Anne ');
  write('Last name', '');
  expect(part('Name and picture').getByRole('figure').textContent).toContain('Anne');
  answer = () => Response.json({ ...anna, firstName: 'Anne', lastName: null });
  press('Save');
  await said('Saved');
  expect(sent).toEqual([{ method: 'PATCH', path: '/api/user', body: { firstName: 'Anne', lastName: null } }]);
  expect(queryClient().getQueryData<User>(['user'])?.firstName).toBe('Anne');
});

const choose = (...files: File[]) =>
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } });
const shownPicture = () => part('Name and picture').getByRole('figure').querySelector('img')?.getAttribute('src');

test('[D5.12] a chosen picture is uploaded and shown, can be replaced, and is removed for the initials', async () => {
  await show();
  const section = part('Name and picture');
  const open = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
  fireEvent.click(section.getByRole('button', { name: 'Upload a picture…' }));
  expect(open).toHaveBeenCalledTimes(1);
  open.mockRestore();
  expect(section.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  const file = new File(['x'], 'anna.png', { type: 'image/png' });
  answer = () => Response.json({ ...anna, profileImageUrl: picture });
  choose(file);
  await said('Picture saved');
  expect(sent).toEqual([{ method: 'POST', path: '/api/user/picture', body: file }]);
  expect(shownPicture()).toBe(picture);
  answer = () => Response.json(anna);
  fireEvent.click(section.getByRole('button', { name: 'Remove picture' }));
  await said('Picture removed');
  expect(sent.at(-1)).toEqual({ method: 'PATCH', path: '/api/user', body: { profileImageUrl: null } });
  expect(shownPicture()).toBeUndefined();
  expect(document.activeElement?.textContent).toBe('Upload a picture…');
});

test('a refused picture is explained, and one that is too large is not even sent', async () => {
  await show();
  const file = new File(['x'], 'anna.svg', { type: 'image/svg+xml' });
  const message = 'Please choose a JPEG, PNG, WebP, or GIF picture.';
  answer = () => Response.json({ code: 'UNSUPPORTED_MEDIA_TYPE', message }, { status: 415 });
  choose(file);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  sent = [];
  const large = new File(['x'], 'large.png');
  Object.defineProperty(large, 'size', { value: 10_000_001 });
  choose(large);
  await screen.findByText('This picture is larger than 10 MB. Please choose a smaller one.');
  expect(sent).toEqual([]);
});

test('members without recovery codes are asked to create them, and see the new ones once', async () => {
  security = { email, passkeys: [], recoveryCodes: 0, sessions: [], signIns: [] };
  await show();
  const section = part('Recovery codes');
  await section.findByText(/^You have no recovery codes/);
  fireEvent.click(section.getByRole('button', { name: 'Create recovery codes…' }));
  const password = within(screen.getByRole('dialog', { hidden: true })).getByLabelText('Password');
  fireEvent.input(password, { target: { value: 'guess' } });
  answer = () =>
    Response.json({ code: 'WRONG_PASSWORD', message: 'The current password is incorrect.' }, { status: 403 });
  fireEvent.submit(password.closest('form')!);
  await said('Codes not created');
  answer = () => Response.json({ recoveryCodes: ['abcdef-1', 'ghjkmn-2'] }, { status: 201 });
  fireEvent.submit(password.closest('form')!);
  const codes = within(await section.findByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem');
  expect(codes.map(({ textContent }) => textContent)).toEqual(['abcdef-1', 'ghjkmn-2']);
  expect(section.queryByText(/^You have no recovery codes/)).toBeNull();
  expect(sent.at(-1)).toEqual({ method: 'POST', path: '/api/user/recovery-codes', body: { password: 'guess' } });
});

test.each([
  [true, 'You have no recovery codes.'],
  [false, 'You have no recovery codes. Without one, you can’t get back in if you forget your password.'],
])('without recovery codes, a way back by mail (%s) is taken into account', async (confirmed, text) => {
  security = {
    email: { confirmed, pending: null, sendsMail: true },
    passkeys: [],
    recoveryCodes: 0,
    sessions: [],
    signIns: [],
  };
  await show();
  expect((await part('Recovery codes').findByText(/^You have no recovery codes/)).textContent).toBe(text);
});

test('a member sees the devices that are signed in, and ends one or all others with the password', async () => {
  const session = { createdAt: anna.createdAt, lastUsedAt: '2026-11-20T08:00:00.000Z', current: false };
  security = {
    email,
    signIns: [],
    passkeys: [],
    recoveryCodes: 8,
    sessions: [
      { ...session, id: 's1', device: 'Firefox on Linux', current: true },
      { ...session, id: 's2', device: 'Safari on iPhone' },
      { ...session, id: 's3', device: null },
    ],
  };
  await show();
  const section = part('Where you’re signed in');
  await section.findByText('This device');
  expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Firefox on LinuxThis device',
    'Safari on iPhoneLast used Nov 20, 2026Sign out',
    'Unknown deviceLast used Nov 20, 2026Sign out',
  ]);
  const confirm = async () => {
    const password = within(screen.getByRole('dialog', { hidden: true })).getByLabelText('Password');
    fireEvent.input(password, { target: { value: 'secret' } });
    answer = noContent;
    fireEvent.submit(password.closest('form')!);
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
  };
  fireEvent.click(section.getByRole('button', { name: 'Sign out Safari on iPhone' }));
  await confirm();
  await said('Signed out');
  fireEvent.click(section.getByRole('button', { name: 'Sign out everywhere else…' }));
  await confirm();
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    ['/api/user/sessions/end', { password: 'secret', id: 's2' }],
    ['/api/user/sessions/end', { password: 'secret' }],
  ]);
});

test('the password is changed and its fields are emptied', async () => {
  await show();
  write('Current password', 'secret');
  write('New password', 'windy day');
  answer = noContent;
  press('Change password');
  await said('Password changed');
  expect(sent).toEqual([
    { method: 'POST', path: '/api/user/password', body: { currentPassword: 'secret', newPassword: 'windy day' } },
  ]);
  expect([field('Current password').value, field('New password').value]).toEqual(['', '']);
});

test('a wrong current password is reported next to its field', async () => {
  await show();
  write('Current password', 'wrong');
  write('New password', 'windy day');
  answer = () =>
    Response.json({ code: 'WRONG_PASSWORD', message: 'The current password is incorrect.' }, { status: 403 });
  press('Change password');
  await said('Password not changed');
  expect(problemOf('Current password')).toBe('The current password is incorrect.');
  await waitFor(() => expect(document.activeElement).toBe(field('Current password')));
  expect(field('New password').value).toBe('windy day');
});

test('[S8.6] a failed logout is reported with the reason, and the member stays signed in', async () => {
  await show();
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ code: 'OVERLOADED', message: 'Please come back.' }, { status: 503 })),
  );
  fireEvent.click(part('This device').getByRole('button', { name: 'Log out' }));
  await said('Logout failed');
  expect(currentToast.get()).toMatchObject({ text: 'Please come back.', destructive: true });
  expect(screen.getByRole('heading', { level: 1, name: 'Your Account' })).toBeTruthy();
});

test('logging out redirects home with a notification and removes the member’s data from the page', async () => {
  const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  await show();
  vi.stubGlobal('fetch', () => Promise.resolve(noContent()));
  fireEvent.click(part('This device').getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
  expect(screen.queryByText('Access Denied')).toBeNull();
  expect(screen.queryByText('anna_1')).toBeNull();
  currentToast.set(null);
  showStoredToast();
  expect(currentToast.get()).toMatchObject({ title: 'Logged out' });
});

test('[D5.13] all stored data can be downloaded as a file', async () => {
  await show();
  const files: { name: string; text: Promise<string> }[] = [];
  let made: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made = blob as Blob;
    return 'blob:test';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, text: made!.text() });
  });
  answer = (path) => Response.json(path === '/api/user/export' ? { user: anna, polls: [] } : anna);
  fireEvent.click(screen.getByRole('button', { name: 'Download my data' }));
  await said('Data downloaded');
  expect(files.map(({ name }) => name)).toEqual(['weathervane-data.json']);
  expect(JSON.parse(await files[0]!.text)).toEqual({ user: anna, polls: [] });
});

test('deleting lists the consequences and requires the username and the password', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account…' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Delete your account?' }));
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Polls you created close immediately. They stay on the site, credited to a former member.',
    'Your comments are deleted.',
    'Your votes still count, but nothing links them to you anymore.',
    'Your name, picture, email address, activities, and badges are deleted, and you’re signed out on every device.',
  ]);
  const confirmation = 'Type your username, anna_1, to confirm';
  write(confirmation, 'ben');
  press('Delete my account');
  await waitFor(() => expect(problemOf(confirmation)).toBe('This must be your username, anna_1'));
  expect(problemOf('Password')).toBe('Password is required');
  expect(sent).toEqual([]);

  write(confirmation, 'Anna_1');
  write('Password', 'wrong');
  answer = () =>
    Response.json({ code: 'WRONG_PASSWORD', message: 'The current password is incorrect.' }, { status: 403 });
  press('Delete my account');
  await said('Account not deleted');
  expect(problemOf('Password')).toBe('The current password is incorrect.');

  write('Password', 'secret');
  answer = noContent;
  press('Delete my account');
  await said('Account deleted');
  expect(sent.at(-1)).toEqual({
    method: 'DELETE',
    path: '/api/user',
    body: { username: 'Anna_1', password: 'secret' },
  });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your account has been deleted');
  expect(document.cookie).not.toContain('wv_account');
});

test('canceling keeps the account and resets the form', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account…' }));
  press('Delete my account');
  await waitFor(() => expect(problemOf('Password')).toBe('Password is required'));
  fireEvent.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account…' }));
  expect(field('Password').getAttribute('aria-invalid')).toBeNull();
  expect(sent).toEqual([]);
});

test('a member changes the email address, and is told to open the link sent to it', async () => {
  await show();
  const section = part('Email');
  expect((await section.findByText('anna@example.org')).parentElement?.textContent).toContain('Confirmed');
  fireEvent.click(section.getByRole('button', { name: 'Change…' }));
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  fireEvent.input(dialog.getByLabelText('Email'), { target: { value: 'new@example' } });
  fireEvent.input(dialog.getByLabelText('Password'), { target: { value: 'secret' } });
  const submit = () => fireEvent.submit(dialog.getByLabelText('Email').closest('form')!);
  submit();
  expect(await dialog.findByText('Invalid email address')).toBeTruthy();
  fireEvent.input(dialog.getByLabelText('Email'), { target: { value: 'new@example.org' } });
  answer = (_, method) => (method === 'POST' ? noContent() : Response.json(anna));
  security = { ...security, email: { ...email, pending: 'new@example.org' } };
  submit();
  await said('Check your mailbox');
  expect(sent).toEqual([
    { method: 'POST', path: '/api/user/email', body: { email: 'new@example.org', password: 'secret' } },
  ]);
  await section.findByText(/^Open the link we sent to new@example\.org/);
});

test('a member removes the email address; without mail, it is all that is offered', async () => {
  security = { ...security, email: { ...email, confirmed: false, sendsMail: false } };
  await show();
  const section = part('Email');
  await section.findByText(/^This site doesn’t send email/);
  expect(section.getByText('Only you see your address. You can sign in with it.')).toBeTruthy();
  expect(section.queryByText(/^Once it’s confirmed/)).toBeNull();
  expect(section.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Remove…']);
  fireEvent.click(section.getByRole('button', { name: 'Remove…' }));
  const password = within(screen.getByRole('dialog', { hidden: true })).getByLabelText('Password');
  fireEvent.input(password, { target: { value: 'secret' } });
  answer = (_, method) => (method === 'DELETE' ? noContent() : Response.json(anna));
  fireEvent.submit(password.closest('form')!);
  await said('Email address removed');
  expect(sent).toEqual([{ method: 'DELETE', path: '/api/user/email', body: { password: 'secret' } }]);
});

test('a member adds a passkey with the password, then renames and removes it', async () => {
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  const created = { credentialId: 'key', clientDataJSON: 'client', attestationObject: 'attestation' };
  createPasskey.mockResolvedValue(created);
  const creation = { challenge: 'c', rpId: 'localhost', rpName: 'Weathervane', userId: 'dTE', exclude: [] };
  const phone = { id: 'k1', name: 'Phone', createdAt: anna.createdAt, lastUsedAt: null };
  answer = (path, method) => {
    if (path === '/api/user') return Response.json(anna);
    return path.endsWith('/creation')
      ? Response.json(creation)
      : method === 'POST'
        ? Response.json(phone)
        : noContent();
  };
  await show();
  const section = part('Passkeys');
  await section.findByText('You have no passkeys.');
  const typeAndSubmit = (label: string, value: string) => {
    const field = within(screen.getByRole('dialog', { hidden: true })).getByLabelText(label);
    fireEvent.input(field, { target: { value } });
    fireEvent.submit(field.closest('form')!);
  };
  fireEvent.click(section.getByRole('button', { name: 'Add a passkey…' }));
  security = { ...security, passkeys: [phone] };
  typeAndSubmit('Password', 'secret');
  await said('Passkey added');
  expect(createPasskey).toHaveBeenCalledWith(creation, 'anna_1');
  await section.findByText('Added Nov 20, 2026');
  fireEvent.click(section.getByRole('button', { name: 'Rename Phone' }));
  typeAndSubmit('Name', ' Old phone ');
  await said('Passkey renamed');
  fireEvent.click(await section.findByRole('button', { name: 'Remove Phone' }));
  typeAndSubmit('Password', 'secret');
  await said('Passkey removed');
  expect(sent).toMatchObject([
    { path: '/api/user/passkeys/creation', body: { password: 'secret' } },
    { method: 'POST', path: '/api/user/passkeys', body: created },
    { method: 'PATCH', path: '/api/user/passkeys/k1', body: { name: 'Old phone' } },
    { method: 'DELETE', path: '/api/user/passkeys/k1', body: { password: 'secret' } },
  ]);
});

test('a browser that can’t use passkeys offers none to add', async () => {
  await show();
  await part('Passkeys').findByText('You have no passkeys.');
  expect(part('Passkeys').queryByRole('button')).toBeNull();
});

test('a sign-in with the member’s password on a new device is asked about, and answered with yes or no', async () => {
  const waitsUntil = '2026-11-20T13:00:00.000Z';
  security = { ...security, signIns: [{ id: 'd1', device: 'Firefox on Windows', waitsUntil }] };
  answer = (path) => (path === '/api/user/sign-ins' ? noContent() : Response.json(anna));
  await show();
  await screen.findByText('Someone signs in from Firefox on Windows with your password. Is it you?');
  security = { ...security, signIns: [] };
  fireEvent.click(screen.getByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByText('Is it you?')).toBeNull());
  expect(sent).toEqual([{ method: 'POST', path: '/api/user/sign-ins', body: { id: 'd1', isMe: false } }]);
  expect(currentToast.get()).toMatchObject({ title: 'Sign-in refused', destructive: true });
});

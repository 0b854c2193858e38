import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { showStoredToast } from '#site/ui/stored-toast.ts';
import { currentToast } from '#site/ui/toasts.ts';
import SignIn from './SignIn.island.tsx';

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

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly device: string | null;
}
let sent: Sent[];
let answer: () => Response | Promise<Response>;
const refusal = (status: number, code: string, message: string, field?: string) =>
  Response.json({ code, message, ...(field !== undefined && { errors: [{ field, message }] }) }, { status });
const leave = vi.spyOn(location, 'replace').mockImplementation(() => undefined);

beforeEach(() => {
  sent = [];
  answer = () => Response.json(anna);
  currentToast.set(null);
  sessionStorage.clear();
  history.replaceState(null, '', '/auth');
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({ path, body, device: new Headers(init.headers).get('x-device-id') });
    return Promise.resolve(answer());
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  leave.mockClear();
  vi.unstubAllGlobals();
});

const show = () => render(<SignIn siteName="Straw Poll" />);
const panel = () => within(screen.getByRole('tabpanel'));
const field = (label: string) => panel().getByLabelText<HTMLInputElement>(label);
const write = (texts: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(texts)) fireEvent.input(field(label), { target: { value: text } });
};
const openTab = (name: string) => fireEvent.click(screen.getByRole('tab', { name }));
const submit = async (name: string) => {
  fireEvent.submit(panel().getByRole('button', { name }).closest('form')!);
  await waitFor(() => expect(panel().getByRole('button', { name }).matches(':disabled')).toBe(false));
};
const problemOf = (label: string) =>
  document.getElementById(field(label).getAttribute('aria-describedby')!.split(' ')[0]!)!.textContent;

describe('the card', () => {
  test('[S2.62 S4.12 D1.1] welcomes to the site and shows the login first', () => {
    show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome to Straw Poll');
    expect(
      screen.getByText('Join our global polling community to share your voice and discover what the world thinks.'),
    ).toBeTruthy();
    const tabs = screen.getAllByRole('tab');
    expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('aria-selected')])).toEqual([
      ['Login', 'true'],
      ['Register', 'false'],
    ]);
  });

  test('[S4.12] arrow keys move between the tabs, and the URL stores the selected one', () => {
    show();
    const [login, register] = screen.getAllByRole('tab') as [HTMLElement, HTMLElement];
    login.focus();
    fireEvent.keyDown(login, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(register);
    expect(register.getAttribute('aria-selected')).toBe('true');
    expect([login.tabIndex, register.tabIndex]).toEqual([-1, 0]);
    expect(location.hash).toBe('#register');
    expect(panel().getByLabelText('Last name')).toBeTruthy();
    fireEvent.keyDown(register, { key: 'Home' });
    expect(document.activeElement).toBe(login);
  });

  test('[S4.12] a URL that ends in #register opens that tab', () => {
    history.replaceState(null, '', '/auth#register');
    show();
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Register');
  });

  test('text typed on one tab is kept while the other is shown', () => {
    show();
    write({ Username: 'anna' });
    openTab('Register');
    openTab('Login');
    expect(field('Username').value).toBe('anna');
  });

  test('identifies each field for password managers', () => {
    show();
    const tokens = () =>
      [
        ...panel()
          .getByRole('button', { name: /^(Login|Register)$/ })
          .closest('form')!
          .querySelectorAll('input'),
      ].map(({ autocomplete }) => autocomplete);
    expect(tokens()).toEqual(['username', 'current-password']);
    openTab('Register');
    expect(tokens()).toEqual(['username', 'new-password', 'email', 'given-name', 'family-name']);
  });

  test('can reveal the typed password', () => {
    show();
    const shows = panel().getByRole('button', { name: 'Show password' });
    expect([field('Password').type, shows.getAttribute('aria-pressed')]).toEqual(['password', 'false']);
    fireEvent.click(shows);
    expect([field('Password').type, shows.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
  });

  test('cannot be submitted before hydration, and never as a URL', () => {
    const page = renderToString(<SignIn siteName="Weathervane" />);
    expect(page.match(/<button type="submit"[^>]*disabled/g)).toHaveLength(2);
    expect(page.match(/<form [^>]*method="post"/g)).toHaveLength(2);
  });
});

describe('signing in', () => {
  test('[S5.1] missing input is reported next to its field, and nothing is sent to the server', async () => {
    show();
    await submit('Login');
    expect([problemOf('Username'), problemOf('Password')]).toEqual(['Username is required', 'Password is required']);
    expect(document.activeElement).toBe(field('Username'));
    expect(field('Username').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    write({ Username: 'anna' });
    expect(field('Username').getAttribute('aria-invalid')).toBeNull();
    await submit('Login');
    expect(document.activeElement).toBe(field('Password'));
  });

  test('[S2.64 S3.18 S7.6 S8.1] sends the device id, redirects home, and shows a welcome on the next page', async () => {
    show();
    write({ Username: ' anna ', Password: ' secret ' });
    await act(async () => {
      fireEvent.submit(field('Username').closest('form')!);
      await Promise.resolve();
    });
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
    expect(sent).toEqual([
      {
        path: '/api/login',
        body: { username: 'anna', password: ' secret ' },
        device: expect.stringMatching(/^device_/),
      },
    ]);
    expect(currentToast.get()).toBeNull();
    showStoredToast();
    expect(currentToast.get()).toMatchObject({ title: 'Welcome back!', text: 'You have successfully logged in.' });
    currentToast.set(null);
    showStoredToast();
    expect(currentToast.get()).toBeNull();
  });

  test.each([
    ['/community-polls/abc?x=1', '/community-polls/abc?x=1'],
    ['//evil.example', '/'],
  ])('[D5.11] redirects to %s as %s', async (next, target) => {
    history.replaceState(null, '', `/auth?next=${encodeURIComponent(next)}`);
    show();
    write({ Username: 'anna', Password: 'secret' });
    fireEvent.submit(field('Username').closest('form')!);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(target));
  });

  test('[S8.2 S8.15 D10.2] wrong credentials are reported in a notification and at the password, and what was typed is kept', async () => {
    answer = () => refusal(401, 'INVALID_CREDENTIALS', 'Invalid username or password');
    show();
    write({ Username: 'anna', Password: 'wrong' });
    await submit('Login');
    await waitFor(() => expect(problemOf('Password')).toBe('Invalid username or password'));
    expect(currentToast.get()).toMatchObject({
      title: 'Login failed',
      text: 'Invalid username or password',
      destructive: true,
    });
    expect([field('Username').value, field('Password').value]).toEqual(['anna', 'wrong']);
    expect(document.activeElement).toBe(field('Password'));
    expect(leave).not.toHaveBeenCalled();
  });

  test('an error notification closes when the tab changes', async () => {
    answer = () => refusal(401, 'INVALID_CREDENTIALS', 'Invalid username or password');
    show();
    write({ Username: 'anna', Password: 'wrong' });
    await submit('Login');
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Login failed', open: true }));
    openTab('Register');
    expect(currentToast.get()).toMatchObject({ open: false });
  });

  test('an unavailable service is reported, and the typed text is kept', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    show();
    write({ Username: 'anna', Password: 'secret' });
    await submit('Login');
    await waitFor(() =>
      expect(panel().getByRole('alert').textContent).toContain('The server didn’t respond. What you typed'),
    );
    expect(currentToast.get()).toMatchObject({
      title: 'Login failed',
      text: 'Something went wrong. Please try again.',
    });
    expect(field('Password').value).toBe('secret');
  });

  test('[S2.65] while the form is being sent, nothing can be changed or sent again', async () => {
    let arrive: (response: Response) => void = () => undefined;
    answer = () => new Promise((resolve) => (arrive = resolve));
    show();
    write({ Username: 'anna', Password: 'secret' });
    const form = field('Username').closest('form')!;
    fireEvent.submit(form);
    fireEvent.submit(form);
    const button = await panel().findByRole<HTMLButtonElement>('button', { name: 'Signing you in' });
    expect(button.disabled).toBe(true);
    expect(button.querySelector('.vane--busy')).not.toBeNull();
    expect(field('Username').closest('fieldset')!.disabled).toBe(true);
    expect(panel().getByRole('status').textContent).toBe('Signing you in');
    arrive(Response.json(anna));
    await waitFor(() => expect(leave).toHaveBeenCalled());
    expect(sent).toHaveLength(1);
  });

  test('[S2.63 S6.6] members who are already signed in are redirected', async () => {
    document.cookie = 'wv_account=1; path=/';
    show();
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
    expect(sent.map(({ path }) => path)).toEqual(['/api/user']);
  });
});

describe('registering', () => {
  const start = () => {
    show();
    openTab('Register');
  };

  test('[S5.2 S5.3 S5.4] reports what is wrong with each field', async () => {
    start();
    write({ Username: 'ab', Password: '12345', Email: 'nobody', 'First name': 'A\u0000' });
    await submit('Register');
    expect(['Username', 'Password', 'Email', 'First name'].map(problemOf)).toEqual([
      'Username must be at least 3 characters',
      'Password must be at least 8 characters',
      'Invalid email address',
      'First name contains characters that can’t be displayed',
    ]);
    expect(document.activeElement).toBe(field('Username'));
    expect(sent).toEqual([]);
  });

  test('[S2.64 S3.18 S5.3 S5.5 S7.7 S8.3] omits empty optional fields, shows the recovery codes, and then welcomes with the site’s name', async () => {
    answer = () => Response.json({ ...anna, recoveryCodes: ['abcdef-1', 'ghjkmn-2'], emailToConfirm: null });
    start();
    write({ Username: 'anna', Password: 'windy day', Email: '  ', 'Last name': ' Berg ' });
    fireEvent.submit(field('Username').closest('form')!);
    const heading = await screen.findByRole('heading', { name: 'Save your recovery codes' });
    expect(document.activeElement).toBe(heading);
    const codes = within(screen.getByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem');
    expect(codes.map(({ textContent }) => textContent)).toEqual(['abcdef-1', 'ghjkmn-2']);
    await waitFor(() => expect(queryClient().getQueryData(['user'])).toEqual(anna));
    expect(leave).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
    expect(sent[0]).toMatchObject({
      path: '/api/register',
      body: { username: 'anna', password: 'windy day', lastName: 'Berg' },
      device: expect.stringMatching(/^device_/),
    });
    expect(Object.keys(sent[0]!.body as object)).toEqual(['username', 'password', 'lastName']);
    showStoredToast();
    expect(currentToast.get()).toMatchObject({
      title: 'Welcome to Straw Poll',
      text: 'Your account has been created successfully.',
    });
  });

  test('the notification of a failed registration is gone when the next one shows the recovery codes', async () => {
    answer = () => refusal(409, 'USERNAME_TAKEN', 'This username is already taken.', 'username');
    start();
    write({ Username: 'anna', Password: 'windy day' });
    await submit('Register');
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Registration failed', open: true }));
    answer = () => Response.json({ ...anna, recoveryCodes: ['abcdef-1'], emailToConfirm: 'anna@example.org' });
    write({ Username: 'anna_2' });
    fireEvent.submit(field('Username').closest('form')!);
    await screen.findByRole('heading', { name: 'Save your recovery codes' });
    expect(currentToast.get()).toMatchObject({ open: false });
  });

  test('beside the recovery codes, a new member is told to confirm the address', async () => {
    answer = () => Response.json({ ...anna, recoveryCodes: ['abcdef-1'], emailToConfirm: 'anna@example.org' });
    start();
    write({ Username: 'anna', Password: 'windy day', Email: 'anna@example.org' });
    fireEvent.submit(field('Username').closest('form')!);
    const sentence = 'Open the link we sent to anna@example.org to confirm it. It works for 3 days.';
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test('the rule for passwords loads when the field gets the focus; a meter then explains, and weak ones are not sent', async () => {
    start();
    write({ Username: 'anna', Password: 'password1', 'Last name': 'Windörfer' });
    const meter = field('Password').closest('form')!.querySelector('[id$=strength][role=status]')!;
    expect(panel().queryByText(/^Too easy to guess/)).toBeNull();
    fireEvent.focus(field('Password'));
    await panel().findByText('Too easy to guess: it’s a common password, or similar to one.');
    write({ Password: 'short' });
    expect(meter.textContent).toContain('Too short: at least 8 characters.');
    write({ Password: 'windörfer1' });
    expect(meter.textContent).toContain('it’s similar to your name');
    await submit('Register');
    expect(problemOf('Password')).toMatch(/^Password is too easy to guess: it’s similar to your name/);
    write({ Password: 'strawpoll1' });
    expect(meter.textContent).toContain('the name of this site');
    write({ Password: 'third windy day of may' });
    expect(meter.textContent).toContain('Very strong.');
    expect(sent).toEqual([]);
  });

  test('[S8.4 S8.15] a taken username is reported next to its field and as a notification', async () => {
    answer = () => refusal(409, 'USERNAME_TAKEN', 'This username is already taken.', 'username');
    start();
    write({ Username: 'anna', Password: 'windy day' });
    await submit('Register');
    await waitFor(() => expect(problemOf('Username')).toBe('This username is already taken.'));
    expect(panel().queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(field('Username'));
    expect(currentToast.get()).toMatchObject({
      title: 'Registration failed',
      text: 'This username is already taken.',
      destructive: true,
    });
  });

  test('says that the username is public if no name is given', () => {
    start();
    expect(problemOf('Username')).toContain('Shown with your comments, and with your polls unless you add a name.');
  });
});

describe('after many wrong passwords', () => {
  const secondStep = { until: '2026-11-20T13:00:00.000Z', mail: true, mailed: false };
  const needsStep = (more: Partial<typeof secondStep> = {}) => {
    answer = () =>
      Response.json(
        { code: 'SECOND_STEP_REQUIRED', message: 'One more proof.', secondStep: { ...secondStep, ...more } },
        { status: 403 },
      );
  };
  const bodies = () => sent.filter(({ path }) => path === '/api/login').map(({ body }) => body);

  test('a right password on a new device is asked for a code, which can be mailed, and then signs in', async () => {
    show();
    needsStep();
    write({ Username: 'anna', Password: 'correct horse' });
    await submit('Login');
    await screen.findByText('One more step');
    expect(currentToast.get()).toBeNull();
    expect(document.activeElement?.textContent).toContain('Your password is right.');
    expect(panel().getByText(/^No code\? Open your account settings .* Or wait until Nov 20/)).toBeTruthy();

    needsStep({ mailed: true });
    fireEvent.click(panel().getByRole('button', { name: 'Email me a code' }));
    await panel().findByText('We’ve sent six digits to your address. They’re valid for 10 minutes.');
    answer = () => refusal(403, 'EMAIL_CODE_WRONG', 'This code is wrong. You have 4 more tries.');
    write({ Code: '123456' });
    await submit('Login');
    await waitFor(() => expect(problemOf('Code')).toBe('This code is wrong. You have 4 more tries.'));
    answer = () => Response.json(anna);
    write({ Code: ' 654321 ' });
    await submit('Login');
    const typed = { username: 'anna', password: 'correct horse' };
    expect(bodies()).toEqual([
      typed,
      { ...typed, mailCode: true },
      { ...typed, code: '123456' },
      { ...typed, code: '654321' },
    ]);
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/'));
  });

  test('without mail, a recovery code, a yes on another device, or waiting is left; trying again says so', async () => {
    show();
    needsStep({ mail: false });
    write({ Username: 'anna', Password: 'correct horse' });
    await submit('Login');
    await screen.findByText('One of your recovery codes.');
    expect(panel().queryByRole('button', { name: 'Email me a code' })).toBeNull();
    await submit('Login');
    await panel().findByText('Nobody has said yet that it’s you. You can also enter a code, or wait.');
    write({ Username: 'ben' });
    expect(screen.queryByText('One more step')).toBeNull();
  });
});

import type { Page } from 'playwright';
import type { AccountSecurity } from '#contract/account-security.ts';
import { offline, refusing, neverResponding, scrollToTop } from './scene.ts';
import type { Scene } from './scene.ts';

const form = (page: Page) => page.getByRole('tabpanel');

/** Signs in a new member with a name in the page’s browser; returns the username and a recovery code. */
async function signInRosa(page: Page, origin: string): Promise<{ username: string; code: string }> {
  const username = `rosa-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  const person = { firstName: 'Rosa', lastName: 'Wind', email: `${username}@example.org` };
  const response = await page.request.post(`${origin}/api/register`, {
    data: { username, password: 'correct horse', ...person },
  });
  const { recoveryCodes } = (await response.json()) as { recoveryCodes: readonly string[] };
  return { username, code: recoveryCodes[0]! };
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const passkeys = ['Safari on iPhone', 'The blue key on the key ring that is always in the drawer of the hall'].map(
  (name, at) => ({ id: `passkey-${at}`, name, createdAt: '2026-01-25T09:00:00.000Z', lastUsedAt: null }),
);

/** Signs in Rosa on two devices, with a confirmed address and passkeys, which need a host name. */
async function signInRosaTwice(page: Page, origin: string): Promise<void> {
  const { username } = await signInRosa(page, origin);
  const headers = { 'content-type': 'application/json', 'user-agent': phone };
  const body = JSON.stringify({ username, password: 'correct horse' });
  await fetch(`${origin}/api/login`, { method: 'POST', headers, body });
  await page.route('**/api/user/security', async (route) => {
    const response = await route.fetch();
    const security = (await response.json()) as AccountSecurity;
    const email = { ...security.email, confirmed: true, pending: null };
    await route.fulfill({ json: { ...security, email, passkeys, recoveryCodes: 0 } });
  });
}

const mailName = (page: Page) => page.getByLabel('Username or email');

const setAccountHint = (page: Page, origin: string) =>
  page.context().addCookies([{ name: 'wv_account', value: '1', url: origin }]);

/** The URL names the tab; the page switches to it on hydration. */
const waitForRegisterTab = (page: Page) => page.getByRole('tab', { name: 'Register', selected: true }).waitFor();

async function fillLogin(page: Page): Promise<void> {
  await form(page).getByLabel('Username').fill('rosa');
  await form(page).getByLabel('Password', { exact: true }).fill('not it');
  await form(page).getByRole('button', { name: 'Login' }).click();
}

/** Signing in, the account menu, and the account page. */
export const accountScenes: readonly Scene[] = [
  { name: 'auth-login', path: () => '/auth' },
  { name: 'auth-register', path: () => '/auth#register' },
  {
    name: 'auth-wrong-fields',
    path: () => '/auth#register',
    async act(page) {
      await waitForRegisterTab(page);
      await form(page).getByLabel('Username').fill('a b');
      await form(page).getByLabel('Email').fill('nobody');
      await form(page).getByRole('button', { name: 'Register' }).click();
      await page.getByText('Invalid email address').waitFor();
    },
  },
  {
    name: 'auth-refused',
    path: () => '/auth',
    fullPage: false,
    async act(page) {
      await fillLogin(page);
      await form(page).getByText('Invalid username or password').waitFor();
    },
  },
  {
    name: 'auth-pending',
    path: () => '/auth',
    fullPage: false,
    async act(page) {
      await page.route('**/api/login', () => new Promise<void>(() => undefined));
      await fillLogin(page);
    },
  },
  {
    name: 'auth-too-many',
    path: () => '/auth',
    fullPage: false,
    prepare: (page) =>
      refusing(page, '**/api/login', 429, {
        message: 'Too many attempts. Please try again in a minute.',
        code: 'RATE_LIMITED',
      }),
    act: fillLogin,
  },
  {
    name: 'auth-unreachable',
    path: () => '/auth#register',
    fullPage: false,
    prepare: offline,
    async act(page) {
      await waitForRegisterTab(page);
      await form(page).getByLabel('Username').fill('rosa');
      await form(page).getByLabel('Password', { exact: true }).fill('long enough');
      await form(page).getByRole('button', { name: 'Register' }).click();
      await form(page).getByRole('alert').waitFor();
    },
  },
  {
    name: 'registered',
    path: () => '/auth#register',
    async act(page) {
      await waitForRegisterTab(page);
      const username = `rosa-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
      await form(page).getByLabel('Username').fill(username);
      await form(page).getByLabel('Password', { exact: true }).fill('a windy day');
      await form(page).getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    },
  },
  { name: 'recover', path: () => '/auth/recover' },
  {
    name: 'recover-refused',
    path: () => '/auth/recover',
    async act(page) {
      await page.getByLabel('Username', { exact: true }).fill('rosa');
      await page.getByLabel('Recovery code').fill('abcdef-ghjkmn-pqrstu-vwxyz2');
      await page.getByLabel('New password', { exact: true }).fill('another windy day');
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByText('The username or the recovery code is wrong').waitFor();
    },
  },
  {
    name: 'recover-mail-sent',
    path: () => '/auth/recover',
    async act(page) {
      await mailName(page).fill('rosa@example.org');
      await page.getByRole('button', { name: 'Email me a link' }).click();
      await page.getByText('the link is on its way').waitFor();
      await scrollToTop(page);
    },
  },
  { name: 'recover-link', path: () => '/auth/recover#reset=made-up' },
  {
    name: 'recover-link-expired',
    path: () => `/auth/recover#reset=${'x'.repeat(43)}`,
    async act(page) {
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await page.getByLabel('New password', { exact: true }).fill('another windy day');
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByRole('main').getByRole('alert').waitFor();
    },
  },
  {
    name: 'recovered',
    path: () => '/auth/recover',
    fullPage: false,
    async act(page) {
      const { username, code } = await signInRosa(page, new URL(page.url()).origin);
      await page.context().clearCookies();
      await page.getByLabel('Username', { exact: true }).fill(username);
      await page.getByLabel('Recovery code').fill(code);
      await page.getByLabel('New password', { exact: true }).fill('another windy day');
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByText('You have 7 of 8 codes left.').waitFor();
    },
  },
  { name: 'mail-link', path: () => '/auth/email#confirm=made-up' },
  {
    name: 'mail-link-done',
    path: () => '/auth/email#confirm=made-up',
    async act(page) {
      await refusing(page, '**/api/confirm-email', 200, { email: 'rosa@example.org' });
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await page.getByText('rosa@example.org is confirmed.').waitFor();
    },
  },
  {
    name: 'mail-link-expired',
    path: () => `/auth/email#confirm=${'x'.repeat(43)}`,
    async act(page) {
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await page.getByRole('main').getByRole('alert').waitFor();
    },
  },
  { name: 'unsubscribe', path: () => '/auth/email#unsubscribe=made-up' },
  {
    name: 'unsubscribe-done',
    path: () => '/auth/email#unsubscribe=made-up',
    async act(page) {
      await page.route('**/api/unsubscribe/*', (route) => route.fulfill({ status: 204 }));
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await page.getByText('You won’t get these emails anymore.').waitFor();
    },
  },
  { name: 'recover-no-javascript', path: () => '/auth/recover', javaScript: false },
  { name: 'auth-no-javascript', path: () => '/auth', javaScript: false },
  {
    name: 'member-menu',
    path: () => '/historical',
    prepare: signInRosa,
    fullPage: false,
    async act(page) {
      const onPhone = page.getByRole('button', { name: 'Menu' });
      const onDesk = page.getByRole('button', { name: 'Account: Rosa Wind' });
      await ((await onPhone.isVisible()) ? onPhone : onDesk).click();
      await page.getByText(/^\d\/54$/).waitFor();
    },
  },
  {
    name: 'account',
    path: () => '/profile/account',
    prepare: signInRosa,
    act: async (page) => page.getByRole('heading', { name: 'Your Account' }).waitFor(),
  },
  {
    name: 'account-devices',
    path: () => '/profile/account',
    prepare: signInRosaTwice,
    act: async (page) => page.getByRole('button', { name: 'Sign out everywhere else…' }).waitFor(),
  },
  {
    name: 'account-end-session',
    path: () => '/profile/account',
    prepare: signInRosaTwice,
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('dialog').locator('[aria-invalid]').waitFor();
    },
  },
  {
    name: 'account-email-change',
    path: () => '/profile/account',
    prepare: signInRosa,
    fullPage: false,
    act: async (page) => page.getByRole('button', { name: 'Confirm…' }).click(),
  },
  {
    name: 'account-deletion',
    path: () => '/profile/account',
    prepare: signInRosa,
    fullPage: false,
    act: async (page) => page.getByRole('button', { name: 'Delete my account…' }).click(),
  },
  {
    name: 'account-denied',
    path: () => '/profile/account',
    act: async (page) => page.getByRole('heading', { name: 'Access Denied' }).waitFor(),
  },
  {
    name: 'account-wrong-fields',
    path: () => '/profile/account',
    prepare: signInRosa,
    async act(page) {
      await page.getByLabel('New password', { exact: true }).fill('short');
      await page.getByRole('button', { name: /^Change/ }).click();
      await page.locator('[aria-invalid]').nth(1).waitFor();
    },
  },
  {
    name: 'account-saved',
    path: () => '/profile/account',
    prepare: signInRosa,
    fullPage: false,
    async act(page) {
      await page.getByLabel('First name').fill('Rosalind');
      await page.getByRole('button', { name: /^Save/ }).first().click();
      await page
        .getByRole('region', { name: /Notifications/ })
        .getByRole('listitem')
        .waitFor();
    },
  },
  {
    name: 'account-deletion-wrong',
    path: () => '/profile/account',
    prepare: signInRosa,
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Delete my account…' }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/username/i)
        .fill('rosa');
      await page.getByRole('dialog').locator('button[type=submit]').click();
    },
  },
  {
    name: 'account-deleted',
    path: () => '/profile/account',
    async prepare(page, origin) {
      await signInRosa(page, origin);
      await page.route('**/api/user', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.fallback(),
      );
    },
    async act(page) {
      const { username } = (await (await page.request.get(new URL('/api/user', page.url()).href)).json()) as {
        username: string;
      };
      await page.getByRole('button', { name: 'Delete my account…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/username/i).fill(username);
      await dialog.getByLabel('Password', { exact: true }).fill('correct horse');
      await dialog.locator('button[type=submit]').click();
      await dialog.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'account-loading',
    path: () => '/profile/account',
    async prepare(page, origin) {
      await setAccountHint(page, origin);
      await neverResponding(page, '**/api/user');
    },
  },
  {
    name: 'account-failed',
    path: () => '/profile/account',
    async prepare(page, origin) {
      await setAccountHint(page, origin);
      await offline(page);
    },
  },
  { name: 'account-no-javascript', path: () => '/profile/account', javaScript: false },
];

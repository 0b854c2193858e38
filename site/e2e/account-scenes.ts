import type { Page } from 'playwright';
import { offline, refusing, neverResponding } from './scene.ts';
import type { Scene } from './scene.ts';

const form = (page: Page) => page.getByRole('tabpanel');

/** Signs in a new member with a name in the page’s browser. */
async function signInRosa(page: Page, origin: string): Promise<void> {
  const username = `rosa-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  const person = { firstName: 'Rosa', lastName: 'Wind', email: `${username}@example.org` };
  await page.request.post(`${origin}/api/register`, { data: { username, password: 'correct horse', ...person } });
}

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
      await form(page).getByRole('alert').waitFor();
      await page.getByText('Login failed', { exact: true }).waitFor();
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
      await page.getByLabel('Username').fill('rosa');
      await page.getByLabel('Recovery code').fill('abcdef-ghjkmn-pqrstu-vwxyz2');
      await page.getByLabel('New password', { exact: true }).fill('another windy day');
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await page.getByRole('main').getByRole('alert').waitFor();
    },
  },
  { name: 'recover-link', path: () => '/auth/recover#reset=made-up' },
  { name: 'mail-link', path: () => '/auth/email#confirm=made-up' },
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

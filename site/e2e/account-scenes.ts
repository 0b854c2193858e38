import type { Page } from 'playwright';
import type { Scene } from './scenes.ts';

const form = (page: Page) => page.getByRole('tabpanel');

/** Signs a new member with a name in on the page's browser. */
async function asRosa(page: Page, origin: string): Promise<void> {
  const username = `rosa-${Date.now().toString(36)}`;
  const person = { firstName: 'Rosa', lastName: 'Wind', email: `${username}@example.org` };
  await page.request.post(`${origin}/api/register`, { data: { username, password: 'correct horse', ...person } });
}

async function fillLogin(page: Page): Promise<void> {
  await form(page).getByLabel('Username').fill('rosa');
  await form(page).getByLabel('Password', { exact: true }).fill('not it');
  await form(page).getByRole('button', { name: 'Login' }).click();
}

/** Signing in, the member's menu and the account page. */
export const accountScenes: readonly Scene[] = [
  { name: 'auth-login', path: () => '/auth' },
  { name: 'auth-register', path: () => '/auth#register' },
  {
    name: 'auth-wrong-fields',
    path: () => '/auth#register',
    async act(page) {
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
  { name: 'auth-no-javascript', path: () => '/auth', javaScript: false },
  {
    name: 'member-menu',
    path: () => '/historical',
    prepare: asRosa,
    fullPage: false,
    async act(page) {
      const onPhone = page.getByRole('button', { name: 'Menu' });
      const onDesk = page.getByRole('button', { name: 'Account of Rosa Wind' });
      await ((await onPhone.isVisible()) ? onPhone : onDesk).click();
      await page.getByText(/^\d\/54$/).waitFor();
    },
  },
  {
    name: 'account',
    path: () => '/profile/account',
    prepare: asRosa,
    act: async (page) => page.getByRole('heading', { name: 'Your Account' }).waitFor(),
  },
  {
    name: 'account-deletion',
    path: () => '/profile/account',
    prepare: asRosa,
    fullPage: false,
    act: async (page) => page.getByRole('button', { name: 'Delete my account…' }).click(),
  },
  {
    name: 'account-denied',
    path: () => '/profile/account',
    act: async (page) => page.getByRole('heading', { name: 'Access Denied' }).waitFor(),
  },
];

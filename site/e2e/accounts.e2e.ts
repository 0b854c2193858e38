import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { accessibilityFindings, expect, test, themes, transferred, widthsFor } from './fixtures.ts';
import { registerInForm, toast, toasts } from './page-helpers.ts';

/** A new member for each test. */
let count = 0;
const newMember = () => ({ username: `reader-${process.pid}-${++count}`, password: 'a windy day', name: 'Rosa Wind' });
type Person = ReturnType<typeof newMember>;

const visibleForm = (page: Page, name: 'Login' | 'Register') => {
  const form = page.getByRole('tabpanel', { name });
  return {
    username: form.getByLabel('Username'),
    password: form.getByLabel('Password', { exact: true }),
    submit: form.getByRole('button', { name, exact: true }),
  };
};
const account = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` });

/** Creates an account in the form. */
async function register(page: Page, person: Person): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  const { username, password } = person;
  await registerInForm(page, { Username: username, Password: password, 'First name': 'Rosa', 'Last name': 'Wind' });
}

/** Creates an account without the form; the page is signed in. */
async function registered(page: Page, baseURL: string): Promise<Person> {
  const person = newMember();
  const { username, password } = person;
  const answer = await page.request.post('/api/register', {
    data: { username, password, firstName: 'Rosa', lastName: 'Wind' },
    headers: { origin: baseURL },
  });
  expect(answer.status()).toBe(201);
  return person;
}

test('[S2.64 S4.2] a visitor registers, is welcomed on the next page, logs out, and logs in again', async ({
  page,
}) => {
  const person = newMember();
  await register(page, person);
  await expect(page).toHaveURL('/');
  await expect(toast(page, 'Welcome to Weathervane')).toBeVisible();
  await expect(page.getByText('Your account has been created successfully.').first()).toBeVisible();

  await account(page, person.name).click();
  const panel = page.locator('#account-menu');
  await expect(panel.getByText(/^\d\/54$/)).toBeVisible();
  await expect(panel.getByText(person.name)).toBeVisible();
  await panel.getByRole('button', { name: 'Log out' }).click();
  await expect(toast(page, 'Logged out')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();

  await page.goto('/auth/login?next=/historical%3Fpage%3D2');
  await expect(page).toHaveURL('/auth?next=%2Fhistorical%3Fpage%3D2');
  const form = visibleForm(page, 'Login');
  await form.username.fill(person.username.toUpperCase());
  await form.password.fill(person.password);
  await form.password.press('Enter');
  await expect(page).toHaveURL('/historical?page=2');
  await expect(toast(page, 'Welcome back!')).toBeVisible();
  await page.reload();
  await expect(account(page, person.name)).toBeVisible();
  await expect(page.getByText('Welcome back!')).toHaveCount(0);
});

test('[S2.63 S6.6 D5.11] signed-in members are redirected from the sign-in page, and never to another site', async ({
  page,
  baseURL,
}) => {
  await registered(page, baseURL!);
  for (const [path, target] of [
    ['/auth', '/'],
    ['/auth?next=/historical', '/historical'],
    ['/auth?next=//evil.example', '/'],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveURL(target);
  }
});

test('[S8.15] a wrong password shows an error, and retrying needs no mouse', async ({ page, baseURL, faults }) => {
  const { username, password } = await registered(page, baseURL!);
  await page.context().clearCookies();
  await page.goto('/auth');
  const form = visibleForm(page, 'Login');
  await form.username.fill(username);
  await form.password.fill('not it');
  await form.submit.click();
  await expect(form.password).toHaveAccessibleDescription(/Invalid username or password/);
  await expect(toast(page, 'Login failed')).toBeVisible();
  await expect(form.password).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  expect(faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
});

test('the menu opens and closes with the keyboard and returns the focus', async ({ page, baseURL }) => {
  const person = await registered(page, baseURL!);
  await page.goto('/historical');
  const button = account(page, person.name);
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.press('Enter');
  await page.getByRole('button', { name: 'Log out' }).focus();
  await page.keyboard.press('Tab');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
});

test('[S2.16 S2.17] on a phone the menu shows the member, and any choice closes it', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await registered(page, baseURL!);
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Menu' });
  await toggle.click();
  const menu = page.locator('#site-menu');
  await expect(menu.getByText(person.name, { exact: true })).toBeVisible();
  await expect(menu.getByText(/^\d\/54$/)).toBeVisible();
  await menu.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL('/profile');
  await expect(menu).toBeHidden();
  await toggle.click();
  await menu.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await expect(toast(page, 'Logged out')).toBeVisible();
  // It is above the menu’s button for five seconds.
  await toasts(page).getByRole('button', { name: 'Close' }).click();
  await toggle.click();
  await expect(menu.getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('other tabs follow a logout and a new login', async ({ page, context, baseURL }) => {
  const person = await registered(page, baseURL!);
  await page.goto('/historical');
  const other = await context.newPage();
  await other.goto('/profile/account');
  await expect(other.getByRole('heading', { name: 'Your Account' })).toBeVisible();
  // A request still under way at the logout would be refused.
  await expect(other.getByText(/codes left/)).toBeVisible();
  // A background tab may not be painted, and Playwright waits for painting before it clicks.
  await page.bringToFront();
  await account(page, person.name).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await page.goto('/auth');
  await visibleForm(page, 'Login').username.fill(person.username);
  await visibleForm(page, 'Login').password.fill(person.password);
  await visibleForm(page, 'Login').submit.click();
  await expect(other.getByRole('heading', { name: 'Your Account' })).toBeVisible();
});

test('the profile sends visitors to sign in and back', async ({ page, baseURL, faults }) => {
  const person = await registered(page, baseURL!);
  await page.context().clearCookies();
  await page.goto('/profile/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await visibleForm(page, 'Login').username.fill(person.username);
  await visibleForm(page, 'Login').password.fill(person.password);
  await visibleForm(page, 'Login').submit.click();
  await expect(page).toHaveURL('/profile/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Your Account' })).toBeVisible();
  expect(faults).toEqual([]);
});

test('[D5.12 D5.14] a member changes name and password, downloads all data, and deletes the account', async ({
  page,
  baseURL,
  faults,
}) => {
  const person = await registered(page, baseURL!);
  await page.goto('/profile/account');
  await page.getByLabel('First name').fill('Rosalind');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(account(page, 'Rosalind Wind')).toBeVisible();

  await page.getByLabel('Current password', { exact: true }).fill('not it');
  await page.getByLabel('New password', { exact: true }).fill('another windy day');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
    /The current password is incorrect/,
  );
  await page.getByLabel('Current password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(toast(page, 'Password changed')).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('weathervane-data.json');
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
    user: { username: person.username, firstName: 'Rosalind', lastName: 'Wind' },
  });

  await page.getByRole('button', { name: 'Delete my account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel(/Type your username/).fill(person.username);
  await dialog.getByLabel('Password', { exact: true }).fill('another windy day');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account has been deleted' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  const again = await page.request.post('/api/login', {
    data: { username: person.username, password: 'another windy day' },
    headers: { origin: baseURL! },
  });
  expect(again.status()).toBe(401);
  expect(faults.splice(0).every((fault) => fault.includes('403'))).toBe(true);
});

test('votes cast before registering belong to the account', async ({ page }) => {
  await page.goto('/');
  const card = page.getByRole('article').last();
  await card.getByRole('radio').first().check();
  await card.getByRole('button', { name: /^vote/i }).click();
  await expect(card.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  const person = newMember();
  await register(page, person);
  await expect(account(page, person.name)).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies({ name: 'wv_voter' });
  await page.reload();
  await expect(card.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
});

test('readers without an account load no React for the menu and cause no API request', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const { scripts } = await transferred(page, '/historical');
  expect(scripts).toBeLessThanOrEqual(5_000);
  expect(requested.filter((path) => path.startsWith('/api') || /react|Account|Notification/.test(path))).toEqual([]);
});

test('nothing moves when the menu loads', async ({ page, baseURL }) => {
  await registered(page, baseURL!);
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        document.documentElement.dataset.moved = String(
          Number(document.documentElement.dataset.moved ?? 0) + entry.value,
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/historical', { waitUntil: 'networkidle' });
  await expect(account(page, 'Rosa Wind')).toBeVisible();
  expect(await page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0))).toBe(0);
});

test('without JavaScript the sign-in page says that it needs it', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, text] of [
    ['/auth', /Signing in needs JavaScript/],
    ['/profile/account', /This page needs JavaScript/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
  }
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Login' })).toHaveCount(0);
});

test('search engines may index the sign-in page but not the profile', async ({ page }) => {
  await page.goto('/auth?next=/historical');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/auth$/);
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  await page.goto('/profile/account');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
});

for (const colorScheme of themes) {
  test(`axe finds nothing on the account pages, and nothing is wider than the screen, ${colorScheme}`, async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(90_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const check = async (state: string) => {
      expect([state, await accessibilityFindings(page, colorScheme)]).toEqual([state, []]);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect([state, widths[0]! <= widths[1]!]).toEqual([state, true]);
    };
    for (const width of widthsFor(colorScheme, [320, 390, 1280])) {
      await page.setViewportSize({ width, height: 900 });
      await page.context().clearCookies();
      await page.goto('/auth');
      await visibleForm(page, 'Login').submit.click();
      await check(`login ${width}`);
      await page.getByRole('tab', { name: 'Register' }).click();
      await visibleForm(page, 'Register').submit.click();
      await check(`register ${width}`);
      await page.goto('/profile/account');
      await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
      await check(`gate ${width}`);
      await registered(page, baseURL!);
      await page.goto('/profile/account');
      await page.getByRole('heading', { name: 'Your Account' }).waitFor();
      await check(`account ${width}`);
      await (width < 900 ? page.getByRole('button', { name: 'Menu' }) : account(page, 'Rosa Wind')).click();
      await page.getByText(/^\d\/54$/).waitFor();
      await check(`menu ${width}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete my account…' }).click();
      await check(`deletion ${width}`);
    }
  });
}

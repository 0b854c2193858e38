import { newPerson } from './community-people.ts';
import { accessibilityFindings, expect, test, widthsFor } from './fixtures.ts';
import { openPolls } from './page-helpers.ts';
import { archive } from './scene.ts';

const sections = [
  ['Current Polls', '/'],
  ['Historical Polls', '/historical'],
  ['Community Polls', '/community-polls'],
  ['Blog', '/blog'],
  ['About', '/about'],
] as const;

test('[S2.8 S2.9 S2.11] the navigation lists the five sections and highlights the current one', async ({ page }) => {
  await page.goto('/historical');
  const nav = page.getByRole('navigation', { name: /main/i }).first();
  for (const [name, href] of sections)
    await expect(nav.getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', href);
  await expect(nav.locator('[aria-current=page]').first()).toHaveText('Historical Polls');
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toHaveAttribute('href', '/auth');
});

test('[S2.15 S4.13] the mobile menu opens, is labeled as open, closes with Escape, and navigates', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const toggle = page.getByRole('button', { name: /menu/i });
  const menu = page.locator('#site-menu');
  await expect(menu).toBeHidden();
  await expect(toggle).toHaveAccessibleName('Menu');
  await toggle.click();
  await expect(toggle).toHaveAccessibleName('Close menu');
  for (const [name, href] of sections) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  }
  const link = menu.getByRole('link', { name: 'Historical Polls' });
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(toggle).toHaveAccessibleName('Menu');
  await toggle.click();
  await link.click();
  await expect(page).toHaveURL(/\/historical$/);
});

test('the theme follows the system, and a chosen theme is remembered without a flash', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  expect(light).not.toBe(dark);
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  expect(await background()).toBe(dark);
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await background()).toBe(dark);
});

test('the skip link is the first tab stop, moves to the content, and leaves the URL', async ({ page }) => {
  await page.goto('/auth#register');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/auth#register');
});

test('pages work while the API is down, and the islands offer a retry', async ({ page, faults }) => {
  await page.route('**/api/**', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { name: /Today’s Polls/ })).toBeVisible();
  await expect(page.getByText('Failed to fetch polls')).toBeVisible();
  await page.unroute('**/api/**');
  await page
    .getByRole('button', { name: /try again|retry/i })
    .first()
    .click();
  await expect(page.getByText('Failed to fetch polls')).toBeHidden();
  faults.splice(0);
});

test('the buttons of the top navigation fit every width and don’t overlap, for visitors and members', async ({
  browser,
  page,
}) => {
  const anna = await newPerson(browser, 'Anna');
  for (const [who, reader] of [
    ['visitor', page],
    ['member', anna.page],
  ] as const) {
    await reader.goto('/historical');
    const bell = reader.getByRole('banner').getByRole('link', { name: /notifications/i });
    if (who === 'member') await expect(bell).toBeVisible();
    for (const width of [320, 360, 390, 430, 960, 1280]) {
      await reader.setViewportSize({ width, height: 700 });
      const edges = await reader.locator('.top .bar > *').evaluateAll((parts) =>
        parts
          .filter((part) => part.checkVisibility())
          .map((part) => part.getBoundingClientRect())
          .flatMap(({ left, right }) => [left, right].map(Math.round)),
      );
      expect([who, width, edges]).toEqual([who, width, edges.toSorted((a, b) => a - b)]);
      expect(edges.at(-1)).toBeLessThanOrEqual(width);
    }
  }
});

test('[D1.14] axe finds nothing on home, archive, series, report, open poll and 404 page, in both themes', async ({
  page,
  baseURL,
  faults,
}) => {
  test.setTimeout(90_000);
  const [report] = await archive(baseURL!);
  const [open] = await openPolls(page);
  const series = '/historical/series/changing-the-clocks';
  for (const path of [
    '/',
    '/historical',
    '/historical/series',
    series,
    `/poll/${report!.id}`,
    `/poll/${open!.id}`,
    '/nothing',
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of widthsFor(colorScheme)) {
        await page.setViewportSize({ width, height: 900 });
        const findings = await accessibilityFindings(page, colorScheme);
        expect([path, colorScheme, width, findings]).toEqual([path, colorScheme, width, []]);
      }
    }
  }
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

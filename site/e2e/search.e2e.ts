import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';

const article = { title: 'One vote per browser', path: '/blog/one-vote-each-nearly' };

test('the search page has no accessibility problems, with and without results', async ({ page }) => {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const path of ['/search', '/search?q=vote', '/search?q=nothinglikeit&type=report']) {
      await page.goto(path);
      expect(await accessibilityFindings(page, theme), `${path} ${theme}`).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Search');
    }
  }
});

test('with the keyboard alone, a reader opens the search box, chooses a suggestion, and closes the box', async ({
  page,
}) => {
  const keys = keyboardOf(page);
  await page.goto('/terms', { waitUntil: 'networkidle' });
  const toggle = page.getByRole('banner').getByRole('button', { name: 'Search', exact: true });
  await keys.tabTo(toggle);
  await keys.press('Enter');
  const box = page.locator('#site-search-box');
  await keys.at(box);
  await keys.press('Escape');
  await expect(box).toBeHidden();
  await keys.at(toggle);
  await keys.press('Enter');
  await keys.type('per brow');
  const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: article.title });
  await expect(option).toBeVisible();
  expect(await accessibilityFindings(page)).toEqual([]);
  await keys.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await keys.press('Enter');
  await expect(page).toHaveURL(article.path);
});

test('texts of a search are shown as typed, never as markup', async ({ page }) => {
  const typed = '"><img src=x onerror=alert(1)> {{7*7}} vote';
  await page.goto(`/search?${new URLSearchParams({ q: typed })}`);
  await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue(typed);
  expect(await page.locator('main img, main [onerror]').count()).toBe(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a search from the header shows results with their words marked, by type and page', async ({ page }) => {
    await page.goto('/terms');
    await page.getByRole('banner').getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('#site-search-box').fill('votes browsers');
    await page.locator('#site-search-box').press('Enter');
    await expect(page).toHaveURL('/search?q=votes+browsers');
    await page.getByRole('main').getByRole('link', { name: 'Articles' }).click();
    const found = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: article.title }) });
    await expect(found.locator('h3 mark')).toHaveText(['vote', 'browser']);
    await found.getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(article.title);
  });
});

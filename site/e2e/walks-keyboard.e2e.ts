import type { Locator, Page } from 'playwright/test';
import { expect, slow, test } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { keyboardOf } from './keyboard.ts';
import { ownFile, undoLastImport } from './operator.ts';
import { openPolls, toast, toasts } from './page-helpers.ts';

/* The five main journeys with the keyboard only. Reduced motion, because smooth scrolling moves elements meanwhile. */
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(60_000);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

/** Uses the skip link. */
async function skip(page: Page): Promise<void> {
  // When a page has loaded, the browser scrolls once more to the fragment of its URL.
  await page.waitForLoadState();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
}

test('with the keyboard alone, a visitor votes on today’s poll and sees its results', async ({ page, faults }) => {
  const keys = keyboardOf(page);
  const polls = await openPolls(page);
  // The first voter sees no results.
  const { id, question } = polls.filter(({ totalVotes }) => totalVotes > 0).at(-2)!;
  // From the beginning: interception that starts beside a request may miss it.
  await page.route('**/api/polls/*/vote', (route) => route.abort());
  await page.goto('/', { waitUntil: 'networkidle' });
  const banner = page.getByRole('banner');
  const stops: Locator[] = [
    page.getByRole('link', { name: /skip/i }),
    banner.getByRole('link', { name: 'Weathervane, home' }),
    ...['Current Polls', 'Historical Polls', 'Community Polls', 'Blog', 'About'].map((name) =>
      banner.getByRole('link', { name, exact: true }),
    ),
    banner.getByRole('combobox', { name: 'Theme' }),
    banner.getByRole('link', { name: 'Sign In' }),
    banner.getByRole('button', { name: 'Search', exact: true }),
  ];
  for (const stop of stops) {
    await keys.press('Tab');
    await keys.at(stop);
  }
  const card = page.getByRole('article', { name: question });
  await keys.tabTo(card.getByRole('link', { name: question }));
  await keys.press('Tab', 'Space');
  await keys.at(card.getByRole('radio').first());
  await expect(card.getByRole('radio').first()).toBeChecked();
  await keys.press('ArrowDown');
  await expect(card.getByRole('radio').nth(1)).toBeChecked();
  await keys.press('Tab');
  const vote = card.getByRole('button', { name: /^Vote/ });
  await keys.at(vote);

  await keys.press('Enter');
  await expect(toast(page, 'Vote Failed')).toBeVisible();
  await keys.at(vote);
  expect(faults.splice(0).join()).toContain('ERR_FAILED');
  await page.unroute('**/api/polls/*/vote');
  await keys.press('Enter');
  await expect(card.getByText('Your vote', { exact: true })).toBeVisible();
  await keys.at(card.locator('[tabindex="-1"]').filter({ hasText: 'Vote Recorded' }));
  await keys.press('F8');
  await keys.at(toasts(page).getByRole('list'));
  await keys.use(toasts(page).getByRole('button', { name: 'Close' }));
  await expect(toasts(page).getByRole('button', { name: 'Close' })).toHaveCount(0);

  await page.goto(`/poll/${id}`, { waitUntil: 'networkidle' });
  await skip(page);
  await keys.tabTo(page.getByRole('link', { name: 'Back to Polls' }));
  await keys.tabTo(page.getByRole('textbox', { name: 'Link to this poll' }));
  await keys.press('Tab');
  await keys.at(page.getByRole('button', { name: 'Copy Link' }));
});

test('with the keyboard alone, a visitor opens, closes, and uses a phone’s menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const keys = keyboardOf(page);
  await page.goto('/about', { waitUntil: 'networkidle' });
  const toggle = page.getByRole('button', { name: 'Menu' });
  const menu = page.locator('#site-menu');
  await keys.tabTo(toggle);
  await keys.press('Enter', 'Tab');
  await keys.at(menu.getByRole('link', { name: 'Current Polls' }));
  await keys.tabTo(menu.getByRole('link', { name: 'Sign In' }));
  await keys.press('Escape');
  await expect(menu).toBeHidden();
  await keys.at(toggle);
  await keys.press('Space', 'Tab', 'Tab', 'Enter');
  await expect(page).toHaveURL('/historical');
});

test(
  'with the keyboard alone, a reader filters the archive, opens a report, and switches its chart',
  slow,
  async ({ page }) => {
    const keys = keyboardOf(page);
    await page.goto('/historical', { waitUntil: 'networkidle' });
    await skip(page);
    const category = page.getByRole('combobox', { name: 'Category' });
    const sort = page.getByRole('combobox', { name: 'Sort' });
    await keys.tabTo(category);
    await keys.press('ArrowDown');
    await expect(page).toHaveURL(/category=/);
    await keys.at(category);
    const first = page.url();
    await keys.press('ArrowDown');
    await expect(page).not.toHaveURL(first);
    await keys.at(category);
    await keys.press('Home');
    await expect(page).toHaveURL('/historical');
    await keys.press('Tab');
    await keys.at(sort);
    await keys.type('Most');
    await expect(page).toHaveURL('/historical?sort=most-voted');
    await keys.at(sort);
    // Cards of the previous list would lose the focus when it is replaced.
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await keys.use(page.getByRole('link', { name: 'Next' }));
    await keys.at(heading(page, 'Completed polls, page 2'));
    await page.goBack();
    await expect(page).toHaveURL('/historical?sort=most-voted');
    await expect(heading(page, 'Completed polls')).toBeFocused();
    const link = page.getByRole('main').getByRole('article').first().getByRole('heading').getByRole('link');
    const listed = await page.request.get('/api/polls/historical/paginated?sort=most-voted');
    const [{ question }] = ((await listed.json()) as { polls: [{ question: string }] }).polls;
    // The list of page 2 is shown until the next one has loaded.
    await expect(link).toHaveText(question);
    await keys.use(link);
    await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible();

    await skip(page);
    await keys.press('Tab');
    await keys.at(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' }));
    await keys.tabTo(page.getByRole('radio', { name: 'Bar' }));
    await keys.press('ArrowLeft');
    await keys.at(page.getByRole('radio', { name: 'Pie' }));
    await expect(page.getByRole('img', { name: /^Pie chart/ })).toBeVisible();
    await keys.use(page.getByRole('link', { name: 'Back to Poll Archive' }));
    await expect(page).toHaveURL('/historical');
  },
);

test(
  'with the keyboard alone, a visitor registers, sees the profile, signs out, and signs in again',
  slow,
  async ({ page }) => {
    const keys = keyboardOf(page);
    const username = `keys-${Date.now().toString(36)}`;
    await page.goto('/auth', { waitUntil: 'networkidle' });
    await skip(page);
    await keys.press('Tab');
    await keys.at(page.getByRole('tab', { name: 'Login' }));
    await keys.press('ArrowRight');
    await keys.at(page.getByRole('tab', { name: 'Register' }));
    const form = page.getByRole('tabpanel', { name: 'Register' });
    const field = (label: string) => form.getByLabel(label, { exact: true });
    await keys.press('Tab');
    await keys.at(field('Username'));
    await keys.press('Enter');
    await expect(field('Username')).toHaveAccessibleDescription(/Username must be at least 3 characters/);
    await keys.at(field('Username'));
    await keys.type(username);
    await keys.press('Tab');
    await keys.type('a windy day');
    await keys.press('Tab');
    await keys.at(form.getByRole('button', { name: 'Show password' }));
    await keys.tabTo(field('First name'));
    await keys.type('Kim');
    await keys.tabTo(form.getByRole('button', { name: 'Register' }));
    await keys.press('Space');
    await keys.at(page.getByRole('heading', { name: 'Save your recovery codes' }));
    await keys.use(page.getByRole('button', { name: 'I’ve saved them' }));
    await expect(page).toHaveURL('/');
    await expect(toast(page, 'Welcome to Weathervane')).toBeVisible();

    const menu = page.getByRole('button', { name: 'Account: Kim' });
    await keys.use(menu);
    await keys.press('Tab');
    await keys.at(page.getByRole('link', { name: 'Profile' }));
    await keys.press('Escape');
    await keys.at(menu);
    await keys.press('Enter', 'Tab', 'Enter');
    await expect(page).toHaveURL('/profile');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kim');
    await keys.use(menu);
    await keys.use(page.getByRole('button', { name: 'Log out' }));
    await expect(page).toHaveURL('/');
    await expect(toast(page, 'Logged out')).toBeVisible();

    await keys.use(page.getByRole('banner').getByRole('link', { name: 'Sign In' }));
    await expect(page).toHaveURL(/\/auth/);
    const login = page.getByRole('tabpanel', { name: 'Login' });
    await expect(login.getByRole('button', { name: 'Login' })).toBeEnabled();
    await keys.tabTo(login.getByLabel('Username'));
    await keys.type(username);
    await keys.press('Tab');
    await keys.type('a windy day');
    await keys.press('Enter');
    await expect(menu).toBeVisible();
  },
);

test(
  'with the keyboard alone, a member creates a poll, shares it, votes, and comments',
  slow,
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const username = `maker-${Date.now().toString(36)}`;
    await page.request.post('/api/register', { data: { username, password: 'a windy day', firstName: 'Mika' } });
    const keys = keyboardOf(page);
    await page.goto('/community-polls', { waitUntil: 'networkidle' });
    await skip(page);
    const create = page.getByRole('link', { name: 'Create Your Poll' });
    const form = page.getByRole('form', { name: 'Create Your Poll' });
    await keys.use(create);
    await form.waitFor();
    await skip(page);
    await keys.use(form.getByRole('button', { name: 'Create Poll' }));
    await keys.at(form.getByLabel('Question'));
    await expect(form.getByLabel('Question')).toHaveAccessibleDescription(/Question is required/);
    await keys.type(`Does ${username} need a mouse?`);
    for (const [place, text] of ['Yes', 'No', 'Never'].entries()) {
      if (place === 0) await keys.tabTo(form.getByLabel('Option 1', { exact: true }));
      await keys.at(form.getByLabel(`Option ${place + 1}`, { exact: true }));
      await keys.type(text);
      if (place < 2) await keys.press('Enter');
    }
    await keys.use(form.getByRole('button', { name: 'Remove option 3' }));
    await keys.at(form.getByLabel('Option 2', { exact: true }));
    await keys.use(form.locator('summary'));
    await keys.tabTo(form.getByLabel('Visibility'));
    await keys.type('Unlisted');
    await keys.press('Tab');
    await keys.type('Tech');
    await keys.use(form.getByRole('button', { name: 'Create Poll' }));

    const created = page.getByRole('dialog', { name: 'Unlisted Poll Created' });
    await keys.use(created.getByRole('button', { name: 'Copy Link' }));
    await expect(created.getByRole('button', { name: 'Link Copied!' })).toBeVisible();
    await keys.use(created.getByRole('button', { name: 'Done' }));
    const share = page.getByRole('region', { name: 'Share This Poll' });
    await share.waitFor();
    await skip(page);
    await keys.use(share.getByRole('button', { name: 'Copy Link' }));
    await expect(share.getByRole('button', { name: 'Link Copied!' })).toBeVisible();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()), { waitUntil: 'networkidle' });

    await skip(page);
    await keys.tabTo(page.getByRole('radio', { name: 'Yes' }));
    await keys.press('Space', 'Tab', 'Enter');
    await keys.at(heading(page, 'Vote Submitted - Live Results'));
    await keys.tabTo(page.getByRole('button', { name: 'Close Poll' }));
    await keys.press('Enter');
    await keys.at(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    for (let round = 0; round < 3; round++) await keys.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).not.toBe('MAIN');
    await keys.press('Escape');
    await keys.at(page.getByRole('button', { name: 'Close Poll' }));

    const box = page.getByLabel('Your comment');
    await keys.tabTo(box);
    await keys.press('Tab', 'Enter');
    await keys.at(box);
    await expect(box).toHaveAccessibleDescription(/Please enter a comment before submitting/);
    await keys.type('No mouse was near.');
    await keys.press('Tab', 'Enter');
    await expect(heading(page, 'Community Discussion (1)')).toBeVisible();
    await keys.at(box);
    const remove = page.getByRole('button', { name: 'Delete comment by Mika' });
    await keys.use(remove);
    await keys.press('Escape');
    await keys.at(remove);
    await keys.press('Enter', 'Tab', 'Enter');
    await keys.at(heading(page, 'Community Discussion (0)'));
  },
);

test(
  'with the keyboard alone, the operator signs in, imports a file, publishes, and undoes the import',
  slow,
  async ({ page }) => {
    test.setTimeout(120_000);
    const keys = keyboardOf(page);
    const file = await ownFile();
    page.on('filechooser', (chooser) => void chooser.setFiles(file));
    await page.goto('/admin', { waitUntil: 'networkidle' });
    await skip(page);
    const password = page.getByLabel('Admin password');
    await keys.tabTo(password);
    await keys.press('Enter');
    await keys.at(password);
    await keys.type(operatorPassword);
    await keys.press('Enter');
    await keys.at(page.getByRole('heading', { level: 1 }));
    await keys.tabTo(page.getByRole('button', { name: 'Logout' }));

    const section = (name: string) => page.getByRole('region', { name, exact: true });
    const visit = async (name: string) => {
      await keys.tabTo(page.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name }), 'Shift+Tab');
      await keys.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await skip(page);
    };
    await keys.tabTo(page.locator('input[type=file]'));
    await keys.press('Enter');
    await expect(page.getByText(/^Dry run/)).toBeVisible();
    await keys.at(page.locator('input[type=file]'));
    await keys.tabTo(page.getByLabel('Import nothing if any row is wrong'));
    const upload = page.getByRole('button', { name: 'Upload CSV' });
    await keys.use(upload);
    await expect(toast(page, 'Upload Successful')).toBeVisible();
    try {
      await keys.at(upload);
      await visit('Publishing');
      const rebuild = section('Publish').getByRole('button', { name: 'Publish all again' });
      // Its progress may be over before it is shown.
      const requested = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/api/admin/builds'),
      );
      await keys.use(rebuild);
      expect((await requested).status()).toBe(202);
      const newest = section('Publish')
        .getByRole('list', { name: 'Publishes, newest first' })
        .getByRole('listitem')
        .first();
      await expect(newest.getByText('All pages rendered: requested on the admin page')).toBeVisible({
        timeout: 45_000,
      });
      await keys.at(rebuild);

      await visit('Imports');
      const undo = page.getByRole('button', { name: 'Undo: import of walk.csv' }).first();
      await keys.use(undo);
      const dialog = page.getByRole('dialog');
      await keys.at(dialog.getByRole('button', { name: 'Cancel' }));
      await keys.press('Escape');
      await keys.at(undo);
      await keys.press('Enter');
      await expect(dialog.getByRole('button', { name: /^Undo/ })).toBeEnabled();
      await keys.use(dialog.getByRole('button', { name: /^Undo/ }));
      await expect(dialog).toBeHidden();
    } finally {
      const history = await page.request.get('/api/admin/imports', {
        headers: { 'x-admin-password': operatorPassword },
      });
      if ((await history.text()).includes('"undoable":true')) await undoLastImport(page);
    }
    // Its button is gone.
    await keys.at(page.getByRole('listitem').filter({ hasText: 'walk.csv' }).first());
    await keys.tabTo(page.getByRole('button', { name: 'Logout' }), 'Shift+Tab');
    await keys.press('Enter');
    await keys.at(heading(page, 'Admin Access'));
  },
);

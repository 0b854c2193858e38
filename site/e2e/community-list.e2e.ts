import type { Browser, Page } from 'playwright/test';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { accessibilityFindings, expect, test, themes, transferred, widthsFor } from './fixtures.ts';

const kilobyte = 1000;
let people = 0;

/** Signs in a new member in this page’s browser and returns the username. */
async function signUp(page: Page): Promise<string> {
  const username = `lister-${Date.now().toString(36)}-${++people}`;
  const response = await page.request.post('/api/register', { data: { username, password: 'correct horse' } });
  expect(response.status()).toBe(201);
  return username;
}

async function openForm(page: Page): Promise<void> {
  await page.goto('/community-polls');
  await page.getByRole('link', { name: 'Create Your Poll' }).click();
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible();
}

/** Opens the form’s settings, or closes them. */
const foldSettings = (page: Page) => page.getByRole('form').getByText('Settings', { exact: true }).click();

async function fill(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Yes');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('No');
}

const cards = (page: Page) => page.getByRole('region', { name: /Newest Polls|Your Polls/ }).getByRole('article');
const create = (page: Page) => page.getByRole('button', { name: 'Create Poll', exact: true }).click();

/** A new browser without an account, on the list. */
async function stranger(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/community-polls');
  return page;
}

test('the list has featured polls, a filter, and pages, all kept in the URL', async ({ page }) => {
  await page.goto('/community-polls');
  await expect(page.getByRole('heading', { name: 'Featured Polls' })).toBeVisible();
  await expect(cards(page)).toHaveCount(6);
  await expect(page.getByRole('link', { name: 'Login to create your own community polls' })).toHaveAttribute(
    'href',
    '/auth?next=%2Fcommunity-polls%2Fnew',
  );
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Featured Polls' })).toBeHidden();
  await page.getByLabel('Category').selectOption('Travel');
  await expect(page).toHaveURL(/\?category=Travel$/);
  await expect(page.getByRole('link', { name: 'Window or aisle?' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Category')).toHaveValue('Travel');
  await page.goBack();
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible();
  await page.getByLabel('Category').selectOption('World News');
  await expect(page.getByText('No Polls in "World News" Category')).toBeVisible();
});

test('a new public poll is at the top of the list immediately, for its creator and for a stranger', async ({
  page,
  browser,
}) => {
  const question = `Is ${await signUp(page)} first?`;
  await openForm(page);
  await fill(page, question);
  await create(page);
  await expect(page.getByText('Poll Created!', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
  await page.goto('/community-polls');
  await expect(cards(page).first()).toContainText(question);
  const other = await stranger(browser);
  await expect(cards(other).first()).toContainText(question);
});

for (const visibility of ['private', 'unlisted'] as const) {
  test(`a new ${visibility} poll shows its link and is only in its creator’s own list`, async ({ page, browser }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const question = `What does ${await signUp(page)} hide?`;
    await openForm(page);
    await fill(page, question);
    await foldSettings(page);
    await page.getByLabel('Visibility').selectOption(visibility);
    await create(page);
    const dialog = page.getByRole('dialog', { name: /^(Private|Unlisted) Poll Created$/ });
    const link = await dialog.getByLabel('Link to this poll').inputValue();
    await dialog.getByRole('button', { name: 'Copy Link' }).click();
    await expect(dialog.getByRole('button', { name: 'Link Copied!' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: question })).toBeVisible();
    const share = page.getByRole('region', { name: 'Share This Poll' });
    await expect(share.getByLabel('Link to this poll')).toHaveValue(link);
    await page.goto('/community-polls');
    await expect(page.getByText(question)).toBeHidden();
    await page.getByRole('link', { name: 'Your polls' }).click();
    await expect(cards(page).first()).toContainText(question);

    const other = await stranger(browser);
    for (const query of ['', '?visibility=public&limit=50', '?limit=50&offset=50']) {
      const answer = await other.request.get(`/api/community-polls${query}`);
      const polls = (await answer.json()) as CommunityPoll[];
      expect(polls.filter((poll) => poll.question === question || poll.visibility !== 'public')).toEqual([]);
    }
    expect((await other.request.get('/api/community-polls?visibility=mine')).status()).toBe(401);
    await expect(other.getByText(question)).toBeHidden();
    await other.goto('/community-polls?show=mine');
    await expect(other.getByText('Sign in to see your polls')).toBeVisible();
    const opened = await other.goto(link);
    expect(opened?.status()).toBe(visibility === 'private' ? 401 : 200);
  });
}

test('a poll can be created with the keyboard alone, with its options reordered', async ({ page }) => {
  const question = `Can ${await signUp(page)} type?`;
  await openForm(page);
  const { keyboard } = page;
  await page.getByRole('textbox', { name: 'Question' }).focus();
  await keyboard.type(question);
  await page.getByRole('textbox', { name: 'Option 1' }).focus();
  await keyboard.type('second');
  await keyboard.press('Enter');
  await keyboard.type('third');
  await keyboard.press('Enter');
  await keyboard.type('first');
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Move option 3 up' })).toBeFocused();
  await keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Move option 2 up' })).toBeFocused();
  await keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Move option 1 down' })).toBeFocused();
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/api/community-polls')),
    page.getByRole('button', { name: 'Create Poll', exact: true }).press('Enter'),
  ]);
  const { options } = request.postDataJSON() as CommunityPoll;
  expect(options.map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
});

test('an error is shown next to its field without moving the button that is being pressed', async ({ page }) => {
  await signUp(page);
  await openForm(page);
  await fill(page, 'Shall we?');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('yes ');
  // Leaving the field shows an error above the button that is being pressed.
  await page.getByRole('button', { name: 'Add option' }).click();
  await expect(page.getByText('This option is already listed')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Option 3' })).toBeFocused();
  await foldSettings(page);
  await page.getByLabel('End', { exact: true }).fill('2020-01-01');
  // A folded field that is wrong is shown.
  await foldSettings(page);
  await create(page);
  await expect(page.getByText('End must be in the future')).toBeVisible();
  await expect(page.getByText('Please fix 2 fields.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Option 2' })).toBeFocused();
});

test('an incomplete date is not treated as no date', async ({ page }) => {
  await signUp(page);
  await openForm(page);
  await fill(page, 'Shall we?');
  await foldSettings(page);
  await page.getByLabel('End', { exact: true }).focus();
  await page.keyboard.type('0101');
  await create(page);
  await expect(page.getByText('End is not a complete date and time')).toBeVisible();
});

test('a list copied elsewhere becomes the options of a poll, with the keyboard alone', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const question = `What does ${await signUp(page)} drink?`;
  await openForm(page);
  await fill(page, question);
  await page.evaluate(() => navigator.clipboard.writeText('1. Tea\r\n2. Coffee\r\n3. Milk\r\n'));
  for (const position of [2, 1]) await page.getByRole('textbox', { name: `Option ${position}` }).fill('');
  await page.keyboard.press('ControlOrMeta+V');
  await expect(page.getByRole('textbox', { name: 'Option 3' })).toBeFocused();
  await create(page);
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
  const answers = page.getByRole('group', { name: 'Your answer' }).getByRole('radio');
  await expect(answers).toHaveCount(3);
  for (const name of ['Tea', 'Coffee', 'Milk'])
    await expect(answers.and(page.getByRole('radio', { name }))).toBeVisible();
});

test('on a phone, question and both options are on the first screen of the form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  await page.goto('/community-polls/new');
  for (const name of ['Question', 'Option 1', 'Option 2'])
    await expect(page.getByRole('textbox', { name })).toBeInViewport({ ratio: 1 });
});

test('at 320 px nothing scrolls sideways, even with the longest words and the form open', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await signUp(page);
  const poll = {
    question: 'W'.repeat(200),
    description: 'w'.repeat(2_000),
    visibility: 'public',
    category: 'Business & Finance',
    options: ['Yes', 'No'].map((text, index) => ({ id: `option-${index + 1}`, text, votes: 0 })),
  };
  expect((await page.request.post('/api/community-polls', { data: poll })).status()).toBe(201);
  await openForm(page);
  await page.getByRole('textbox', { name: 'Option 1' }).fill('W'.repeat(121));
  await create(page);
  await expect(page.getByText('Option cannot exceed 120 characters')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.goto('/community-polls');
  await expect(cards(page).first()).toContainText('WWW');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

for (const colorScheme of themes) {
  test(`axe finds nothing on list and form, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(60_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widthsFor(colorScheme)) {
      await page.setViewportSize({ width, height: 900 });
      await page.context().clearCookies();
      for (const path of ['/community-polls', '/community-polls?category=World+News', '/community-polls?page=99']) {
        await page.goto(path, { waitUntil: 'networkidle' });
        expect([path, await accessibilityFindings(page, colorScheme)]).toEqual([path, []]);
      }
      await signUp(page);
      await openForm(page);
      await create(page);
      await page.getByRole('button', { name: 'Add option' }).click();
      await foldSettings(page);
      expect(['form', await accessibilityFindings(page, colorScheme)]).toEqual(['form', []]);
    }
  });
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('[D4.11] the list is readable, with its pages, its categories, and a link to sign in', async ({ page }) => {
    await page.goto('/community-polls');
    await expect(page.getByRole('heading', { name: 'Featured Polls' })).toBeVisible();
    await expect(cards(page)).toHaveCount(6);
    await expect(page.getByRole('link', { name: 'Login to create your own community polls' })).toBeVisible();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page.getByText('Page 2', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByLabel('Category').selectOption('Travel');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('link', { name: 'Window or aisle?' })).toBeVisible();
  });
});

test('the list ships at most 20 kB of JavaScript, React comes with the first touch, and the form with its page', async ({
  page,
}) => {
  const list = await transferred(page, '/community-polls');
  expect(list.scripts).toBeLessThanOrEqual(20 * kilobyte);
  const used = await transferred(page, '/community-polls', async () => {
    await page.getByLabel('Category').selectOption('Travel');
    await expect(page).toHaveURL(/\?category=Travel$/);
    await page.waitForLoadState('networkidle');
  });
  expect(used.scripts).toBeGreaterThan(50 * kilobyte);
  expect(used.scripts).toBeLessThanOrEqual(102 * kilobyte);
  await signUp(page);
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.goto('/community-polls', { waitUntil: 'networkidle' });
  expect(loaded.filter((url) => url.includes('NewPoll') && url.endsWith('.js'))).toEqual([]);
});

test('nothing moves when the list hydrates', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/community-polls', { waitUntil: 'networkidle' });
  await expect(page.getByRole('link', { name: 'Login to create your own community polls' })).toBeVisible();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01);
});

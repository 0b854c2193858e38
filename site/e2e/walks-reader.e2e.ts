import type { Page } from 'playwright/test';
import { expect, slow, test } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { ownFile, undoLastImport } from './operator.ts';
import { openPolls } from './page-helpers.ts';
import { archive } from './scene.ts';
import { screenReaderOf } from './screen-reader.ts';
import type { ScreenReader } from './screen-reader.ts';

/* The five main journeys in the accessibility tree: names and announcements. */
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(60_000);

/** Waits until all of these were announced, in whichever order, and returns all announcements up to then. */
async function announced(reader: ScreenReader, ...words: readonly RegExp[]): Promise<string[]> {
  const all: string[] = [];
  await expect
    .poll(async () => {
      all.push(...(await reader.announcements()));
      return words.filter((one) => !new RegExp(one, 'm').test(all.join('\n')));
    })
    .toEqual([]);
  return all;
}
const open = (page: Page, path: string) => page.goto(path, { waitUntil: 'networkidle' });
const timesIn = (all: readonly string[], words: RegExp) => all.filter((text) => words.test(text)).length;

test('with a screen reader, a vote has a question, options, and a result that is announced', async ({
  page,
  faults,
}) => {
  const reader = await screenReaderOf(page);
  const polls = await openPolls(page);
  // The first voter hears no results.
  const poll = polls.filter(({ totalVotes }) => totalVotes > 0).at(-3)!;
  const { question } = poll;
  await open(page, '/');
  expect(await reader.faults()).toEqual([]);
  expect(await reader.announcements()).toEqual([]);
  const card = page.getByRole('article', { name: question });
  const group = card.getByRole('group', { name: question });
  await expect(group.getByRole('radio')).toHaveCount(Math.min(3, poll.options.length));
  const button = card.getByRole('button', { name: `Vote ${question}` });
  await expect(button).toBeDisabled();
  await group.getByRole('radio', { name: poll.options[1]!.text }).check();

  await page.route('**/api/polls/*/vote', (route) => route.abort());
  await button.click();
  const failed = await announced(reader, /Vote Failed/);
  expect([failed.length, timesIn(failed, /Vote Failed/)]).toEqual([1, 1]);
  faults.splice(0);
  await page.unroute('**/api/polls/*/vote');
  await button.click();
  const result = new RegExp(`${poll.options[1]!.text}: \\d+%`);
  const recorded = await announced(reader, /Thank you for participating/, result);
  expect(timesIn(recorded, /Thank you for participating/)).toBe(1);
  expect(recorded.filter((text) => text.includes(question))).toEqual([expect.stringMatching(result)]);
  await expect(card.getByRole('listitem').nth(1)).toHaveText(/\d+%[\d,]+ votes?Your vote$/);
  expect(await reader.faults()).toEqual([]);
});

test('with a screen reader, a vote is confirmed by a browser that is too busy to draw for seconds', async ({
  page,
}) => {
  const reader = await screenReaderOf(page);
  await page.addInitScript(() => (window.requestAnimationFrame = () => 0));
  await open(page, '/');
  const card = page.getByRole('article').first();
  await card.getByRole('radio').first().check();
  await card.getByRole('button', { name: /^Vote / }).click();
  await announced(reader, /^Notifications Vote Recorded Thank you for participating/);
});

test(
  'with a screen reader, the archive and a report have text for everything drawn',
  slow,
  async ({ page, baseURL }) => {
    const reader = await screenReaderOf(page);
    await open(page, '/historical');
    expect(await reader.faults()).toEqual([]);
    expect(await reader.announcements()).toEqual([]);
    const filters = page.getByRole('form', { name: 'Filter polls' });
    await filters.getByRole('combobox', { name: 'Category' }).selectOption({ index: 2 });
    await announced(reader, /^\d+ polls? listed$/);
    await filters.getByRole('combobox', { name: 'Sort' }).selectOption('Most Voted');
    await open(page, '/historical?category=Nothing-here');
    await expect(page.getByRole('heading', { name: 'No Historical Polls' })).toBeVisible();

    const { id, options } = (await archive(baseURL!)).find((poll) => poll.options.length > 3 && poll.totalVotes > 100)!;
    await open(page, `/poll/${id}`);
    expect(await reader.faults()).toEqual([]);
    const table = page.getByRole('table', { name: 'Every answer, most votes first' });
    await expect(table.getByRole('columnheader')).toHaveText([
      'Rank',
      'Response',
      'Votes',
      'Percent',
      'Ahead of the next',
    ]);
    await expect(table.getByRole('rowheader')).toHaveCount(options.length + 1);
    const kinds = page.getByRole('group', { name: 'Chart type' });
    await expect(kinds.getByRole('radio', { name: 'Bar' })).toBeChecked();
    await kinds.getByRole('radio', { name: 'Pie' }).check();
    await expect(
      page.getByRole('img', { name: /^Pie chart: .* \d+\.\d%.*All figures are in the table/ }),
    ).toBeVisible();
    expect(await reader.faults()).toEqual([]);
    const closed = page.getByText(/^\s*Closed/).locator('time');
    await expect(closed).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await expect(closed).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/);
    await closed.click();
    await expect(page.getByRole('tooltip')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d UTC$/);
  },
);

test(
  'with a screen reader, a visitor registers, errors belong to their fields, and the account menu exposes its state',
  slow,
  async ({ page, faults }) => {
    const reader = await screenReaderOf(page);
    await open(page, '/auth');
    expect(await reader.faults()).toEqual([]);
    const login = page.getByRole('tabpanel', { name: 'Login' });
    await login.getByLabel('Username').fill('nobody-of-this-name');
    await login.getByLabel('Password', { exact: true }).fill('not it');
    await login.getByRole('button', { name: 'Login' }).click();
    const refused = await announced(reader, /Notifications Login failed/);
    expect(timesIn(refused, /Invalid username or password/)).toBe(1);
    expect(timesIn(refused, /Login failed/)).toBe(1);
    expect(faults.splice(0).join()).toContain('401');

    await page.getByRole('tab', { name: 'Register' }).click();
    await expect(page.getByRole('tab', { selected: true })).toHaveText('Register');
    const form = page.getByRole('tabpanel', { name: 'Register' });
    await form.getByLabel('Email').fill('nobody');
    await form.getByRole('button', { name: 'Register' }).click();
    for (const [label, sentence] of [
      ['Username', /^Username must be at least 3 characters/],
      ['Password', /^Password must be at least 8 characters/],
      ['Email', /^Invalid email address/],
    ] as const) {
      await expect(form.getByRole('textbox', { name: label })).toHaveAccessibleDescription(sentence);
      await expect(form.getByRole('textbox', { name: label })).toHaveAttribute('aria-invalid', 'true');
    }
    await expect(form.getByRole('textbox', { name: 'First name' })).not.toHaveAttribute('aria-invalid');
    await form.getByLabel('Username').fill(`ears-${Date.now().toString(36)}`);
    await form.getByLabel('Password', { exact: true }).fill('a windy day');
    await form.getByLabel('Email').fill('');
    await form.getByLabel('First name').fill('Ada');
    await form.getByRole('button', { name: 'Register' }).click();
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await expect(page).toHaveURL('/');
    expect(timesIn(await announced(reader, /Welcome to Weathervane/), /Welcome to Weathervane/)).toBe(1);

    const menu = page.getByRole('button', { name: 'Account: Ada' });
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
    await menu.click();
    await expect(menu).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('navigation', { name: 'Account' }).getByRole('link')).toHaveText([
      'Profile',
      'My Activities',
      'Badge Tracker',
      'Your Polls',
      'My Votes',
      'Account Settings',
    ]);
    for (const path of ['/profile', '/profile/activities', '/profile/badges', '/profile/account']) {
      await open(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await reader.faults()]).toEqual([path, []]);
    }
  },
);

test(
  'with a screen reader, a member creates a poll, votes, comments, and deletes the comment',
  slow,
  async ({ page }) => {
    const username = `voice-${Date.now().toString(36)}`;
    await page.request.post('/api/register', { data: { username, password: 'a windy day', firstName: 'Vera' } });
    const reader = await screenReaderOf(page);
    await open(page, '/community-polls/new');
    const form = page.getByRole('form', { name: 'Create Your Poll' });
    await form.getByRole('textbox', { name: 'Question' }).waitFor();
    expect(await reader.faults()).toEqual([]);
    await reader.announcements();
    const options = form.getByRole('group', { name: 'Options' });
    await expect(options).toHaveAccessibleDescription(/At least two/);
    await form.getByRole('button', { name: 'Create Poll' }).click();
    await announced(reader, /^Please fix 3 fields\.$/);
    for (const name of ['Question', 'Option 1', 'Option 2'])
      await expect(form.getByRole('textbox', { name })).toHaveAccessibleDescription(/required/);
    await form.getByRole('textbox', { name: 'Question' }).fill(`Is ${username} heard?`);
    await options.getByRole('textbox', { name: 'Option 1' }).fill('Yes');
    await options.getByRole('textbox', { name: 'Option 2' }).fill('No');
    await options.getByRole('button', { name: 'Move option 2 up' }).click();
    await announced(reader, /^Option 2 is now option 1\.$/);
    await options.getByRole('button', { name: 'Add option' }).click();
    await announced(reader, /^Option 3 added\.$/);
    await form.getByText('Settings', { exact: true }).click();
    await form.getByLabel('Visibility').selectOption('unlisted');
    await expect(form.getByLabel('Visibility')).toHaveAccessibleDescription(/Not listed anywhere/);
    await form.getByRole('button', { name: 'Create Poll' }).click();
    await page.getByRole('dialog', { name: 'Unlisted Poll Created' }).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('region', { name: 'Share This Poll' }).waitFor();
    expect(timesIn(await announced(reader, /Poll Created!/), /Poll Created!/)).toBe(1);

    expect(await reader.faults()).toEqual([]);
    await page.getByRole('group', { name: 'Your answer' }).getByRole('radio', { name: 'Yes' }).check();
    await page.getByRole('button', { name: 'Cast Vote' }).click();
    const first = /^Vote Submitted\. .*You’re the first\.$/;
    expect(timesIn(await announced(reader, /Vote Submitted!/, first), first)).toBe(1);
    await expect(page.getByRole('img', { name: 'The leading answer has 100%' })).toBeVisible();

    const box = page.getByRole('textbox', { name: 'Your comment' });
    await page.getByRole('button', { name: 'Post Comment' }).click();
    await expect(box).toHaveAccessibleDescription(/Please enter a comment before submitting\./);
    await expect(box).toHaveAttribute('aria-invalid', 'true');
    await box.fill('Can you hear this?');
    await expect(box).toHaveAccessibleDescription('18/500 characters');
    await page.getByRole('button', { name: 'Post Comment' }).click();
    expect(timesIn(await announced(reader, /Comment Posted!/), /Comment Posted!/)).toBe(1);
    const comments = page.getByRole('list', { name: 'Comments, newest first' });
    await comments.getByRole('button', { name: 'Delete comment by Vera' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this comment?' });
    expect(await reader.faults()).toEqual([]);
    await question.getByRole('button', { name: 'Delete Comment', exact: true }).click();
    expect(timesIn(await announced(reader, /Comment Deleted/), /Comment Deleted/)).toBe(1);
  },
);

test(
  'with a screen reader, the admin page has its sections and announces what an import would do and did',
  slow,
  async ({ page, faults }) => {
    const reader = await screenReaderOf(page);
    await open(page, '/admin');
    expect(await reader.faults()).toEqual([]);
    const password = page.getByLabel('Admin password');
    await password.fill('guess');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(password).toHaveAccessibleDescription('The admin password is incorrect.');
    expect(faults.splice(0).join()).toContain('401');
    await password.fill(operatorPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(timesIn(await announced(reader, /Access Granted/), /Access Granted/)).toBe(1);
    const file = page.getByLabel(/CSV file/);
    await expect(file).toHaveAccessibleDescription(/20 MB/);
    await file.setInputFiles('api/polls/import/fixtures/mixed.csv');
    const preview = await announced(reader, /Dry run: nothing was changed/);
    expect(preview.filter((text) => text.includes('neither a JSON list'))).toEqual([]);
    const errors = page.getByRole('region', { name: '4 errors' }).getByRole('table');
    await expect(errors.getByRole('columnheader')).toHaveText(['Line', 'Column', 'Value', 'Reason']);
    await page.getByText(/weekly polls? (is|are) open/).waitFor();
    expect(await reader.faults()).toEqual([]);
    await page.getByLabel(/mixed\.csv/).setInputFiles(await ownFile());
    await announced(reader, /would add/);
    await page.getByRole('button', { name: 'Upload CSV' }).click();
    expect(timesIn(await announced(reader, /Upload Successful/), /Upload Successful/)).toBe(1);
    try {
      await open(page, '/admin/health');
      await page.getByText('Latest publishes').waitFor();
      expect(await reader.faults()).toEqual([]);
      await open(page, '/admin/imports');
      await page.getByRole('button', { name: 'Undo: import of walk.csv' }).first().click();
      await expect(page.getByRole('dialog')).toHaveAccessibleName(/Undo|import/);
      expect(await reader.faults()).toEqual([]);
    } finally {
      await undoLastImport(page);
    }
  },
);

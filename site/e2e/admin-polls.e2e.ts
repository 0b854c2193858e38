import type { Page } from 'playwright/test';
import type { ImportHistory } from '#contract/poll-import.ts';
import type { Poll } from '#contract/poll.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { operatorHeaders, undoLastImport } from './operator.ts';

const toast = (page: Page, title: string) =>
  page.getByRole('region', { name: /Notifications/ }).getByText(title, { exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const imports = (page: Page) => section(page, 'Imports').getByRole('listitem');
const dialog = (page: Page) => page.getByRole('dialog');

async function signIn(page: Page, path = '/admin/imports'): Promise<void> {
  await page.addInitScript((password) => sessionStorage.setItem('adminPassword', password), operatorPassword);
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
}

/** A file with one poll that has no votes, and is open now unless it starts later. */
function file(id: string, question: string, options = ['Yes', 'No'], start = '2026-01-01'): Buffer {
  const list = JSON.stringify(options.map((text, place) => ({ id: `o${place + 1}`, text, votes: 0 })));
  const row = [id, question, 'For the tests.', list, 'true', '2026-01-01', start, '2099-01-01'];
  const quoted = row.map((value) => `"${value.replaceAll('"', '""')}"`);
  return Buffer.from(`id,question,description,options,is_active,created_at,starts_at,ends_at\n${quoted.join(',')}\n`);
}

async function importThrough(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await expect(page.getByText(/^Dry run: nothing was changed/)).toBeVisible();
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  await expect(toast(page, 'Upload Successful')).toBeVisible();
}

const poll = async (page: Page, id: string) => (await (await page.request.get(`/api/polls/${id}`)).json()) as Poll;

test('an import is in the history, shows what undoing it would do, and is undone', async ({ page }) => {
  await signIn(page);
  await importThrough(page, 'undo-me.csv', file('e2e-undo', 'Shall this go again?'));
  const entry = imports(page).filter({ hasText: 'undo-me.csv' }).first();
  await expect(entry.getByText('1 new, 0 updated, 0 unchanged')).toBeVisible();
  await expect(entry.getByText(/on this page/)).toBeVisible();

  await entry.getByRole('button', { name: 'Undo: import of undo-me.csv' }).click();
  await expect(dialog(page).getByText('1 poll it added will be removed.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await poll(page, 'e2e-undo')).question).toBe('Shall this go again?');

  await entry.getByRole('button', { name: /^Undo/ }).click();
  await dialog(page).getByRole('button', { name: 'Undo the import' }).click();
  await expect(toast(page, 'Import Undone')).toBeVisible();
  await expect(entry.getByText('Undone: 1 poll removed, 0 restored')).toBeVisible();
  await expect(entry.getByRole('button')).toHaveCount(0);
  expect((await page.request.get('/api/polls/e2e-undo')).status()).toBe(404);
});

test('the import that can be undone is offered even when it is not on the first page of the history', async ({
  page,
}) => {
  await page.route('**/api/admin/imports?*', async (route) => {
    const history = (await (await route.fetch()).json()) as ImportHistory;
    const last = {
      ...history.imports[0],
      id: '4711',
      fileName: 'long-ago.csv',
      state: 'done',
      undoable: true,
      undo: null,
    };
    await route.fulfill({ json: { ...history, last } });
  });
  await signIn(page);
  const history = section(page, 'Imports');
  await expect(history.getByText('Last import that changed anything:')).toBeVisible();
  await expect(history.getByRole('button', { name: 'Undo: import of long-ago.csv' })).toBeVisible();
});

test('undoing an import keeps a new poll that has votes, and the dialog names it in advance', async ({ page }) => {
  await signIn(page);
  await importThrough(page, 'voted.csv', file('e2e-voted', 'Does a vote hold this poll?'));
  const vote = { data: { optionId: 'o1' }, headers: { 'x-device-id': `device_${Date.now().toString(36)}abcdefghij` } };
  expect((await page.request.post('/api/polls/e2e-voted/vote', vote)).ok()).toBe(true);
  await section(page, 'Imports').getByRole('button', { name: 'Undo: import of voted.csv' }).click();
  await expect(dialog(page).getByText('1 poll it added will be kept because people have voted on it.')).toBeVisible();
  await expect(dialog(page).getByText('Does a vote hold this poll?')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Undo the import' }).click();
  await expect(toast(page, 'Import Undone')).toBeVisible();
  expect((await poll(page, 'e2e-voted')).totalVotes).toBe(1);
  await expect(imports(page).first().getByText('1 left unchanged', { exact: false })).toBeVisible();
  expect((await page.request.post('/api/admin/polls/e2e-voted/close', { headers: operatorHeaders })).ok()).toBe(true);
});

test('undoing an import names and keeps a new poll that was edited since, and removes it only on request', async ({
  page,
}) => {
  await signIn(page);
  await importThrough(page, 'edited.csv', file('e2e-edited', 'Is this poll edited?'));
  const edit = { data: { question: 'Was this poll edited?' }, headers: operatorHeaders };
  expect((await page.request.patch('/api/admin/polls/e2e-edited', edit)).ok()).toBe(true);
  const undo = section(page, 'Imports').getByRole('button', { name: 'Undo: import of edited.csv' });
  await undo.click();
  await expect(
    dialog(page).getByText('1 poll will be left unchanged because it was edited after the import.'),
  ).toBeVisible();
  await expect(dialog(page).getByText('Was this poll edited?')).toBeVisible();
  await dialog(page).getByRole('checkbox', { name: 'Also undo polls that were edited after the import' }).check();
  await expect(dialog(page).getByText('1 poll it added will be removed.')).toBeVisible();
  await expect(dialog(page).getByText('Was this poll edited?')).toBeHidden();
  await dialog(page).getByRole('button', { name: 'Undo the import' }).click();
  await expect(toast(page, 'Import Undone')).toBeVisible();
  expect((await page.request.get('/api/polls/e2e-edited')).status()).toBe(404);
});

test('a poll is found, reworded, closed, and reopened', async ({ page, faults }) => {
  await signIn(page);
  await importThrough(page, 'found.csv', file('e2e-found', 'Is this poll fuond?'));
  await page.goto('/admin/polls');
  const polls = section(page, 'Polls');
  await polls.getByLabel('Question or id').fill('E2E-found');
  await polls.getByRole('button', { name: 'Search' }).click();
  await expect(polls.getByText('1 poll', { exact: true })).toBeVisible();
  const entry = polls.getByRole('listitem').filter({ hasText: 'e2e-found' }).first();
  await expect(entry.getByText('Open', { exact: true })).toBeVisible();

  await entry.getByRole('button', { name: /^Edit text/ }).click();
  const form = polls.getByRole('form', { name: /^Edit / });
  await expect(form.getByLabel('Question', { exact: true })).toBeFocused();
  await form.getByLabel('Question', { exact: true }).fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Question is required')).toBeVisible();
  // The browser logs the refusal.
  expect(faults.splice(0).join()).toContain('400');
  await form.getByLabel('Question', { exact: true }).fill('Is this poll found?');
  await form.getByLabel('Option 2').fill('Not yet');
  await form.getByLabel('Tags').fill('finding\nwords, with a comma');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Text Saved')).toBeVisible();
  await expect(entry.getByRole('link', { name: 'Is this poll found?', exact: true })).toBeVisible();
  const { options, tags } = await poll(page, 'e2e-found');
  expect([options[1]?.text, tags]).toEqual(['Not yet', ['finding', 'words, with a comma']]);

  await entry.getByRole('button', { name: /^Close now/ }).click();
  await expect(dialog(page).getByText(/Voting ends immediately/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Close the poll' }).click();
  await expect(toast(page, 'Poll Closed')).toBeVisible();
  await expect(entry.getByText('Closed', { exact: true })).toBeVisible();

  await entry.getByRole('button', { name: /^Reopen/ }).click();
  await expect(dialog(page).getByText(/Voting resumes until Jan 1, 2099/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Reopen the poll' }).click();
  await expect(toast(page, 'Poll Reopened')).toBeVisible();
  await expect(entry.getByText('Open', { exact: true })).toBeVisible();
  await undoLastImport(page);
});

test('[D4.5] a scheduled poll is only visible through the operator’s preview link, where nobody can vote', async ({
  page,
  browser,
}) => {
  await signIn(page);
  const [id, question] = ['e2e-coming', 'Does anybody know of this poll?'];
  await importThrough(page, 'coming.csv', file(id, question, ['Yes', 'No'], '2098-12-01'));
  await page.goto('/admin/polls');
  const polls = section(page, 'Polls');
  await polls.getByLabel('State').selectOption('scheduled');
  const entry = polls.getByRole('listitem').filter({ hasText: id }).first();
  await entry.getByRole('button', { name: /^Edit text/ }).click();
  await expect(polls.getByRole('form', { name: /^Edit / })).toBeVisible();
  const link = await entry.getByLabel(`Preview link: ${question}`).inputValue();

  const stranger = await browser.newContext();
  const visitor = await stranger.newPage();
  const at = async (path: string) => {
    const response = await stranger.request.get(path);
    return { status: response.status(), text: await response.text(), headers: response.headers() };
  };
  const statusOf = async (path: string) => (await at(path)).status;
  for (const path of [`/poll/${id}`, `/embed/poll/${id}`, `/poll/${id}?preview=made.up`, `/api/polls/${id}`])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  for (const ending of ['png', 'csv', 'json'])
    expect([ending, await statusOf(`/poll/${id}.${ending}`)]).toEqual([ending, 404]);
  for (const path of [
    '/',
    '/historical',
    '/historical/browse?sort=newest',
    '/sitemap-pages.xml',
    '/historical/rss.xml',
  ])
    expect([path, (await at(path)).text.includes(id)]).toEqual([path, false]);
  for (const path of ['/api/polls/active', '/api/polls/historical/paginated?limit=50'])
    expect([path, (await at(path)).text.includes(id)]).toEqual([path, false]);
  // The response does not reveal whether the poll exists.
  const [coming, missing] = [await at(`/poll/${id}`), await at('/poll/e2e-nothing')];
  expect(coming.text.replaceAll(id, 'e2e-nothing')).toBe(missing.text);

  const preview = await at(link);
  expect([preview.status, preview.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(preview.text).toContain('<meta name="robots" content="noindex">');
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { level: 1, name: question })).toBeVisible();
  await expect(visitor.getByText(/^This poll opens on Dec 1, 2098, 00:00 UTC/)).toBeVisible();
  await expect(visitor.getByText('Scheduled', { exact: true })).toBeVisible();
  await expect(visitor.getByLabel('Yes')).toBeDisabled();
  await expect(visitor.getByRole('button', { name: /^Vote/ })).toBeDisabled();
  await expect(visitor.getByText('Share This Poll')).toHaveCount(0);
  expect(await accessibilityFindings(visitor)).toEqual([]);
  await stranger.close();
  await undoLastImport(page);
});

test('an edited poll appears in the list of publishes with links to its pages, and its page has a preview', async ({
  page,
}) => {
  await signIn(page, '/admin/polls');
  const polls = section(page, 'Polls');
  const id = 'demo-homework-machine';
  await polls.getByLabel('Question or id').fill(id);
  await polls.getByRole('button', { name: 'Search' }).click();
  await expect(polls.getByText('1 poll', { exact: true })).toBeVisible();
  const entry = polls.getByRole('listitem').filter({ hasText: id });
  const question = await entry.getByRole('link').first().innerText();
  await entry.getByRole('button', { name: /^Edit text/ }).click();
  const background = `Written at ${new Date().toISOString()}.`;
  await polls.getByLabel('Background').fill(background);
  await polls.getByLabel('Summary').fill('Not saved.');
  const previewButton = polls.getByRole('button', { name: 'Preview this text without saving it (new tab)' });
  const [draft] = await Promise.all([page.waitForEvent('popup'), previewButton.click()]);
  await expect(draft.getByText(/^This page shows the text as you entered it/)).toBeVisible();
  await expect(draft.getByText('Not saved.').first()).toBeVisible();
  expect(await accessibilityFindings(draft)).toEqual([]);
  await draft.close();
  const send = (password: string) =>
    page.request.post(`/poll/${id}/draft`, {
      multipart: { password, texts: JSON.stringify({ summary: 'Not saved.' }) },
    });
  const refused = await send('wrong');
  expect([refused.status(), refused.headers()['cache-control']]).toEqual([401, 'private, no-store']);
  expect(await refused.text()).not.toContain('Not saved.');
  expect((await page.request.get(`/poll/${id}/draft`)).status()).toBe(404);
  await polls.getByLabel('Summary').fill('');
  await polls.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Text Saved')).toBeVisible();
  const preview = entry.getByRole('link', { name: `Preview page, not published: ${question} (new tab)` });
  const address = `/poll/${id}`;
  const answer = await page.request.get((await preview.getAttribute('href')) ?? '');
  expect([answer.status(), answer.headers()['cache-control']]).toEqual([200, 'private, no-store']);
  expect(await answer.text()).toContain('<meta name="robots" content="noindex">');
  expect((await page.request.get(`${address}/preview`)).status()).toBe(404);
  expect((await page.request.get(`${address}/preview?preview=made.up`)).status()).toBe(404);
  const [shown] = await Promise.all([page.waitForEvent('popup'), preview.click()]);
  await expect(shown.getByText(/^This page isn’t published/)).toBeVisible();
  await expect(shown.getByRole('heading', { level: 1, name: question })).toBeVisible();
  expect(await accessibilityFindings(shown)).toEqual([]);
  await shown.close();

  await page.goto('/admin/publishing');
  const publish = section(page, 'Publish');
  const edited = publish
    .getByRole('listitem')
    .filter({ hasText: `“${question}” edited` })
    .first();
  await expect(edited.getByText(/UTC · [\d,.]+ m?s · /)).toBeVisible({ timeout: 30_000 });
  await edited.getByText(/changed address/).click();
  await expect(edited.getByRole('link', { name: address, exact: true })).toHaveAttribute('href', address);
  expect(await (await page.request.get(address)).text()).toContain(background);
  expect(await accessibilityFindings(page)).toEqual([]);
});

test('options are read-only once a poll has votes, and reopening a poll past its end requires a new end', async ({
  page,
  faults,
}) => {
  await signIn(page, '/admin/polls');
  const polls = section(page, 'Polls');
  await polls.getByLabel('State').selectOption('closed');
  // The list of all polls is shown until the other one has loaded.
  await expect(polls.getByRole('button', { name: /^Close/ })).toHaveCount(0);
  const entry = polls
    .getByRole('listitem')
    .filter({ hasText: /[1-9],?\d* votes/ })
    .first();
  await entry.getByRole('button', { name: /^Edit text/ }).click();
  await expect(polls.getByText(/so you can’t change them/)).toBeVisible();
  await expect(polls.getByLabel('Option 1')).toHaveCount(0);
  await polls.getByRole('button', { name: 'Cancel' }).click();
  await expect(entry.getByRole('button', { name: /^Edit text/ })).toBeFocused();

  await polls
    .getByRole('button', { name: /^Reopen/ })
    .last()
    .click();
  await dialog(page).getByLabel('New end').fill('2020-01-01T10:00');
  await dialog(page).getByRole('button', { name: 'Reopen the poll' }).click();
  await expect(dialog(page).getByText('End must be in the future')).toBeVisible();
  expect(faults.splice(0).join()).toContain('400');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('the list of polls has pages and says when nothing matches', async ({ page }) => {
  await signIn(page, '/admin/polls');
  const polls = section(page, 'Polls');
  const first = await polls.getByRole('link').first().textContent();
  await polls.getByRole('button', { name: 'Next' }).click();
  await expect(polls.getByText(/^Page 2 of/)).toBeVisible();
  await expect(polls.getByRole('link').first()).not.toHaveText(first ?? '');
  await polls.getByLabel('Question or id').fill('nothing is called so');
  await page.keyboard.press('Enter');
  await expect(polls.getByText('No matching polls. Try different words, or all states.')).toBeVisible();
});

test('removing demonstration polls needs confirmation', async ({ page }) => {
  await signIn(page, '/admin/polls');
  await page.getByRole('button', { name: 'Remove demo polls' }).click();
  await expect(dialog(page).getByText(/It can’t be undone/)).toBeVisible();
  await page.route('**/api/admin/demonstration', (route) =>
    route.fulfill({ json: { polls: 42, communityPolls: 10, articles: 3 } }),
  );
  await dialog(page).getByRole('button', { name: 'Remove them' }).click();
  await expect(toast(page, 'Demo Polls Removed')).toBeVisible();
});

for (const colorScheme of themes)
  test(`history, dialogs, and forms are accessible in the ${colorScheme} theme and fit a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page);
    await importThrough(page, `a-file-with-a-very-long-name-${'x'.repeat(60)}.csv`, file('e2e-phone', 'Fits it?'));
    await expect(toast(page, 'Upload Successful')).toBeVisible();
    await section(page, 'Imports').getByRole('button', { name: /^Undo/ }).click();
    await expect(dialog(page).getByText('1 poll it added will be removed.')).toBeVisible();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.goto('/admin/polls');
    const polls = section(page, 'Polls');
    await polls
      .getByRole('button', { name: /^Edit text/ })
      .first()
      .click();
    await expect(polls.getByLabel('Question', { exact: true })).toBeVisible();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await undoLastImport(page);
  });

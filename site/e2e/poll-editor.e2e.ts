import type { Page } from 'playwright/test';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { draftSaved as saved, newDraft, openAdmin, operatorHeaders, pollForm as form } from './operator.ts';
import { dialog, pollNow, toast } from './page-helpers.ts';

const polls = (page: Page) => page.getByRole('region', { name: 'Polls', exact: true });

async function publish(page: Page, { id, version }: EditedPoll): Promise<void> {
  const data = { version };
  const answer = await page.request.post(`/api/admin/polls/${id}/publish`, { headers: operatorHeaders, data });
  expect(answer.ok()).toBe(true);
}

async function remove(page: Page, id: string): Promise<void> {
  const answer = await page.request.delete(`/api/admin/polls/${id}`, {
    ...{ headers: operatorHeaders, data: { reason: 'A test.' } },
  });
  expect(answer.ok()).toBe(true);
}

test('a poll is written, previewed, published, changed, and deleted in the browser', async ({ page, faults }) => {
  await openAdmin(page, '/admin/polls');
  await page.getByRole('button', { name: 'New poll' }).click();
  await expect(form(page)).toBeVisible();
  const id = new URL(page.url()).searchParams.get('poll') ?? '';
  // It has the next weekly slot.
  await form(page).getByRole('button', { name: 'Schedule' }).click();
  await expect(form(page).getByText('Question is required').first()).toBeVisible();
  // The browser logs the refusal.
  expect(faults.splice(0).join()).toContain('400');
  await expect(form(page).getByLabel('Question', { exact: true })).toBeFocused();

  await form(page).getByLabel('Question', { exact: true }).fill('Don’t you agree that editors write polls?');
  await expect(page.getByText('This may lead people to an answer')).toBeVisible();
  await form(page).getByLabel('Question', { exact: true }).fill('Do editors write polls?');
  for (const [place, text] of ['Yes', 'No', 'Not sure'].entries())
    await form(page)
      .getByLabel(`Option ${place + 1}`, { exact: true })
      .fill(text);
  await form(page).getByRole('button', { name: 'Move option 3 up' }).click();
  await form(page).getByLabel('Description').fill('Written in a browser.');
  await form(page).getByLabel('Start', { exact: true }).fill('2026-01-01');
  await form(page).getByLabel('End', { exact: true }).fill('2031-01-01');
  await saved(page);
  await page.reload();
  await expect(form(page).getByLabel('Option 2', { exact: true })).toHaveValue('Not sure');
  expect(await accessibilityFindings(page)).toEqual([]);

  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    form(page).getByRole('link', { name: 'Preview (new tab)' }).click(),
  ]);
  await expect(preview.getByText(/^This page isn’t published/)).toBeVisible();
  await expect(preview.getByRole('heading', { level: 1, name: 'Do editors write polls?' })).toBeVisible();
  await preview.getByRole('link', { name: 'Report with sample votes' }).click();
  await expect(preview.getByText(/^These votes are made up/)).toBeVisible();
  await preview.getByRole('link', { name: 'Card on the home page' }).click();
  await expect(preview.getByRole('link', { name: 'Do editors write polls?' })).toBeVisible();
  await preview.getByRole('link', { name: 'Share pictures' }).click();
  const pictures = preview.getByRole('figure').getByRole('img');
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_200);
  // The frame of the next one has a main landmark, too, as on other sites.
  expect(await accessibilityFindings(preview)).toEqual([]);
  await preview.getByRole('link', { name: 'Embedded on another site' }).click();
  await expect(preview.frameLocator('iframe').getByRole('heading', { name: 'Do editors write polls?' })).toBeVisible();
  await preview.close();
  expect((await page.request.get(`/poll/${id}/preview`)).status()).toBe(404);

  await form(page).getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(page, 'Poll Published')).toBeVisible();
  await expect.poll(async () => (await page.request.get(`/poll/${id}`)).status()).toBe(200);
  await form(page).getByLabel('Author').fill('The desk');
  await saved(page);
  expect(await (await page.request.get(`/api/polls/${id}`)).json()).toMatchObject({ author: null });
  await form(page).getByRole('button', { name: 'Publish changes' }).click();
  const author = async () => (await pollNow(page.request, id)).author;
  await expect.poll(author).toBe('The desk');
  await page.getByRole('button', { name: 'Show changes' }).click();
  await expect(page.getByRole('insertion').getByText('The desk')).toBeVisible();
  await page.getByRole('button', { name: /^Restore the version of/ }).press('Enter');
  await expect(dialog(page).getByRole('deletion').getByText('The desk')).toBeVisible();
  expect(await accessibilityFindings(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(toast(page, 'Version Restored')).toBeVisible();
  await expect.poll(author).toBeNull();

  await form(page).getByRole('button', { name: 'Close now' }).click();
  await dialog(page).getByRole('button', { name: 'Close the poll' }).click();
  await expect(toast(page, 'Poll Closed')).toBeVisible();
  await form(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog(page).getByLabel('Reason').fill('It was only a test.');
  await dialog(page).getByLabel('Lead its address to another poll').press('Enter');
  await expect(toast(page, 'Poll Deleted')).toBeVisible();
  await expect(polls(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect.poll(async () => (await page.request.get(`/poll/${id}`)).status()).toBe(410);
  await page.goto(`/poll/${id}`);
  expect(faults.splice(0).join()).toContain('410');
  await expect(page.getByText('It was only a test.')).toBeVisible();
  expect(await accessibilityFindings(page)).toEqual([]);
});

test('[D4.5] a scheduled poll is only visible through the operator’s preview link, where nobody can vote', async ({
  page,
  browser,
}) => {
  const question = 'Does anybody know of this poll?';
  const coming = await newDraft(page, question);
  const { id } = coming;
  await publish(page, coming);
  await openAdmin(page, `/admin/polls?poll=${id}`);
  await form(page).getByText('Preview link', { exact: true }).click();
  const link = await form(page).getByRole('textbox', { name: 'Preview link' }).inputValue();

  const stranger = await browser.newContext();
  const visitor = await stranger.newPage();
  const at = async (path: string) => {
    const response = await stranger.request.get(path);
    return { status: response.status(), text: await response.text(), headers: response.headers() };
  };
  const statusOf = async (path: string) => (await at(path)).status;
  for (const path of [`/poll/${id}`, `/embed/poll/${id}`, `/poll/${id}/preview?preview=made.up`, `/api/polls/${id}`])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
  expect((await at(`/poll/${id}/preview?preview=made.up`)).text).toContain(
    'The link has expired, or the poll was deleted',
  );
  for (const ending of ['png', 'csv', 'json'])
    expect([ending, await statusOf(`/poll/${id}.${ending}`)]).toEqual([ending, 404]);
  const listing = ['/', '/historical', '/historical?sort=newest', '/sitemap-pages.xml', '/historical/rss.xml'];
  for (const path of [...listing, '/api/polls/active', '/api/polls/historical/paginated?limit=50'])
    expect([path, (await at(path)).text.includes(id)]).toEqual([path, false]);
  // The response does not reveal whether the poll exists.
  const [hidden, missing] = [await at(`/poll/${id}`), await at('/poll/e2e-nothing')];
  expect(hidden.text.replaceAll(id, 'e2e-nothing')).toBe(missing.text);

  const preview = await at(link);
  expect([preview.status, preview.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(preview.text).toContain('<meta name="robots" content="noindex">');
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { level: 1, name: question })).toBeVisible();
  await expect(visitor.getByText('Scheduled', { exact: true })).toBeVisible();
  await expect(visitor.getByLabel('Yes')).toBeDisabled();
  await expect(visitor.getByRole('button', { name: /^Vote/ })).toBeDisabled();
  await expect(visitor.getByText('Share This Poll')).toHaveCount(0);
  expect(await accessibilityFindings(visitor)).toEqual([]);
  await stranger.close();
  await remove(page, id);
});

test('two operators who change the same draft both see whose text it is, and either can be kept', async ({
  page,
  faults,
}) => {
  const { id, version } = await newDraft(page, 'Who wrote this?');
  await openAdmin(page, `/admin/polls?poll=${id}`);
  await expect(form(page).getByLabel('Question', { exact: true })).toHaveValue('Who wrote this?');
  const data = { version, question: 'Somebody else?', author: 'Somebody else' };
  await page.request.patch(`/api/admin/polls/${id}/draft`, { headers: operatorHeaders, data });
  await form(page).getByLabel('Question', { exact: true }).fill('I did!');
  const conflict = page.getByRole('alert').filter({ hasText: 'changed the same parts' });
  await expect(conflict.getByRole('deletion').first()).toBeVisible();
  expect(faults.splice(0).join()).toContain('409');
  await conflict.getByRole('button', { name: 'Keep yours' }).click();
  await expect(form(page).getByLabel('Author')).toHaveValue('Somebody else');
  await saved(page);
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await dialog(page).getByRole('button', { name: 'Discard' }).click();
  await expect(polls(page)).toBeVisible();
});

test('reopening a poll past its end requires a new end', async ({ page, faults }) => {
  await openAdmin(page, '/admin/polls?state=closed&page=2');
  await polls(page)
    .getByRole('link', { name: /^Edit:/ })
    .last()
    .click();
  await expect(form(page).getByText(/so you can’t change them/)).toBeVisible();
  await form(page).getByRole('button', { name: 'Reopen' }).click();
  await dialog(page).getByLabel('New end', { exact: true }).fill('2020-01-01');
  await dialog(page).getByRole('button', { name: 'Reopen the poll' }).click();
  await expect(dialog(page).getByText('End must be in the future')).toBeVisible();
  expect(faults.splice(0).join()).toContain('400');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('the list of polls has pages that its address names, and says when nothing matches', async ({ page }) => {
  await openAdmin(page, '/admin/polls');
  const first = polls(page).getByRole('link').first();
  const question = await first.textContent();
  await polls(page).getByRole('button', { name: 'Next' }).click();
  await expect(polls(page).getByText(/^Page 2 of/)).toBeVisible();
  await expect(first).not.toHaveText(question ?? '');
  await page.goBack();
  await expect(first).toHaveText(question ?? '');
  await polls(page).getByLabel('Question or id').fill('nothing is called so');
  await page.keyboard.press('Enter');
  await expect(polls(page).getByText('No matching polls. Try different words, or all states.')).toBeVisible();
});

test('a changed poll appears in the list of publishes when its page has changed', async ({ page }) => {
  const id = 'demo-homework-machine';
  await openAdmin(page, `/admin/polls?poll=${id}`);
  const background = `Written at ${new Date().toISOString()}.`;
  await form(page).getByLabel('Description').fill(background);
  await form(page).getByRole('button', { name: 'Publish changes' }).click();
  await expect(toast(page, 'Changes Published')).toBeVisible();
  const question = await form(page).getByLabel('Question', { exact: true }).inputValue();
  await page.goto('/admin/health');
  const edited = page
    .getByRole('region', { name: 'Publish', exact: true })
    .getByRole('listitem')
    .filter({ hasText: `“${question}” edited` })
    .first();
  await expect(edited.getByText(/· [\d,.]+ m?s$/)).toBeVisible({ timeout: 30_000 });
  expect(await (await page.request.get(`/poll/${id}`)).text()).toContain(background);
});

for (const colorScheme of themes)
  test(`the list and the editor of polls are accessible in the ${colorScheme} theme and fit a phone`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await openAdmin(page, '/admin/polls?state=closed');
    await expect(polls(page).getByRole('listitem').first()).toBeVisible();
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect([await accessibilityFindings(page, colorScheme), await width()]).toEqual([[], 390]);
    await polls(page)
      .getByRole('link', { name: /^Edit:/ })
      .first()
      .click();
    await expect(form(page).getByText(/so you can’t change them/)).toBeVisible();
    expect([await accessibilityFindings(page, colorScheme), await width()]).toEqual([[], 390]);
  });

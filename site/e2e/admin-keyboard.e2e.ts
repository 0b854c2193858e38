import type { Page } from 'playwright/test';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { expect, sampleOf, test } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { draftSaved, operatorHeaders, pollForm } from './operator.ts';
import { enterPassword, openPolls } from './page-helpers.ts';

const article = '/admin/content?entry=blog/what-a-tie-means';
/** The buttons that open dialogs. */
const dialogs =
  /^<button> (Remove demo polls|Close now|Unpublish…?|Delete…?|New article|Insert (picture|chart)…|Add webhook)$/;
const pollAt = (id: string) => `/admin/polls?poll=${id}`;
const openPoll = async (page: Page) => pollAt((await openPolls(new URL(page.url()).origin))[0]!.id);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
}

// On a phone, where the order of the page is what people see.
test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } });

test.beforeEach(async ({ page }) => {
  await enterPassword(page);
  await page.goto('/admin');
});

test('with the keyboard alone, an operator reaches everything on every admin page, in order, and leaves each dialog where it was opened', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const keys = keyboardOf(page);
  const main = page.getByRole('main');
  const poll = await openPoll(page);
  const paths = [...Object.values(adminPages).map(({ path }) => path), poll, `${poll}&view=insights`, article];
  for (const path of sampleOf(paths))
    await test.step(path, async () => {
      await open(page, path);
      await main.focus();
      await keys.walk(main, dialogs);
    });
});

test('the keyboard reorders the options of a poll, and keeps the focus on the option that moves', async ({ page }) => {
  const keys = keyboardOf(page);
  const created = await page.request.post('/api/admin/polls', { headers: operatorHeaders, data: {} });
  const { id } = (await created.json()) as EditedPoll;
  await open(page, pollAt(id));
  const form = pollForm(page);
  const option = (place: number) => form.getByLabel(`Option ${place}`, { exact: true });
  await option(1).focus();
  for (const text of ['Yes', 'No', 'Never']) {
    await keys.type(text);
    if (text !== 'Never') await keys.press('Enter');
  }
  await keys.use(form.getByRole('button', { name: 'Move option 3 up' }), 'Space');
  await keys.at(form.getByRole('button', { name: 'Move option 2 up' }));
  await keys.press('Space');
  await keys.at(form.getByRole('button', { name: 'Move option 1 down' }));
  for (const [place, text] of ['Never', 'Yes', 'No'].entries()) await expect(option(place + 1)).toHaveValue(text);
  await draftSaved(page);
  const saved = await page.request.get(`/api/admin/polls/${id}`, { headers: operatorHeaders });
  const { content, version } = (await saved.json()) as EditedPoll;
  expect(content.options.map(({ text }) => text)).toEqual(['Never', 'Yes', 'No']);
  const discard = `/api/admin/polls/${id}/draft?version=${version}`;
  expect((await page.request.delete(discard, { headers: operatorHeaders })).ok()).toBe(true);
});

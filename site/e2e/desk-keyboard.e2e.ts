import type { Page } from 'playwright/test';
import type { EditedPoll } from '#contract/poll-editor.ts';
import { deskPages } from '#texts/desk.ts';
import { expect, sampleOf, test } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { keyboardOf } from './keyboard.ts';
import { draftSaved, operatorHeaders, pollForm } from './operator.ts';
import { activePolls } from './scene.ts';

const article = '/admin/content?entry=blog/what-a-tie-means';
const pollAt = (id: string) => `/admin/polls?poll=${id}`;
const openPoll = async (page: Page) => pollAt((await activePolls(new URL(page.url()).origin))[0]!.id);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript((password) => sessionStorage.setItem('adminPassword', password), operatorPassword);
  await page.goto('/admin');
});

test('the keyboard reaches every control of every page of the desk, sees where it is, and leaves the page again', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const keys = keyboardOf(page);
  const poll = await openPoll(page);
  const paths = [...Object.values(deskPages).map(({ path }) => path), poll, `${poll}&view=insights`, article];
  for (const path of sampleOf(paths)) {
    await open(page, path);
    expect([path, await keys.unreached(page.getByRole('main'))]).toEqual([path, []]);
  }
});

test('the keyboard opens each dialog of the desk, stays in it, and returns to its button', async ({ page }) => {
  const keys = keyboardOf(page);
  const poll = await openPoll(page);
  for (const [path, names] of [
    [deskPages.polls.path, ['Remove demo polls']],
    [poll, ['Close now', 'Unpublish', 'Delete']],
    [deskPages.content.path, ['New article']],
    [article, ['Unpublish…', 'Delete…', 'Insert picture…', 'Insert chart…']],
    [deskPages.settings.path, ['Add webhook']],
  ] as const) {
    await open(page, path);
    for (const name of names) {
      const button = page.getByRole('main').getByRole('button', { name, exact: true });
      await button.focus();
      await keys.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog.locator(':focus')).toBeVisible();
      const stops = await dialog.locator('button, input, select, textarea').count();
      // The browser’s own controls are between the last and the first one.
      for (let stop = 0; stop < stops + 2; stop++) {
        await keys.press('Tab');
        const place = await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName);
        expect([name, stop, place]).toEqual([name, stop, expect.stringMatching(/^(DIALOG|BODY)$/)]);
        if (place === 'DIALOG') await keys.at(dialog.locator(':focus'));
      }
      await keys.press('Escape');
      await expect(dialog).toHaveCount(0);
      await keys.at(button);
    }
  }
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

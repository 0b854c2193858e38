import type { Page } from 'playwright/test';
import { accessibilityFindings, expect, slow, test, themes } from './fixtures.ts';
import { openAdmin, operatorHeaders, undoLastImport } from './operator.ts';
import { dialog, pollNow, section, toast } from './page-helpers.ts';

const imports = (page: Page) => section(page, 'Imports').getByRole('listitem');

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
  // The notice of an import before may still be there.
  await expect(imports(page).filter({ hasText: name }).first()).toBeVisible();
}

test('an import is in the history, shows what undoing it would do, and is undone', async ({ page }) => {
  await openAdmin(page, '/admin/imports');
  await importThrough(page, 'undo-me.csv', file('e2e-undo', 'Shall this go again?'));
  const entry = imports(page).filter({ hasText: 'undo-me.csv' }).first();
  await expect(entry.getByText('1 new, 0 updated, 0 unchanged')).toBeVisible();
  await expect(entry.getByText(/on this page/)).toBeVisible();

  await entry.getByRole('button', { name: 'Undo: import of undo-me.csv' }).click();
  await expect(dialog(page).getByText('1 poll it added will be removed.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await pollNow(page, 'e2e-undo')).question).toBe('Shall this go again?');

  await entry.getByRole('button', { name: /^Undo/ }).click();
  await dialog(page).getByRole('button', { name: 'Undo the import' }).click();
  await expect(toast(page, 'Import Undone')).toBeVisible();
  await expect(entry.getByText('Undone: 1 poll removed, 0 restored')).toBeVisible();
  await expect(entry.getByRole('button')).toHaveCount(0);
  expect((await page.request.get('/api/polls/e2e-undo')).status()).toBe(404);
});

test('an earlier import can be undone, too; polls that a later one changed are kept, and that one is named', async ({
  page,
}) => {
  await openAdmin(page, '/admin/imports');
  await importThrough(page, 'earlier.csv', file('e2e-earlier', 'Is this the first text?'));
  await importThrough(page, 'later.csv', file('e2e-earlier', 'Is this the second text?'));
  await section(page, 'Imports').getByRole('button', { name: 'Undo: import of earlier.csv' }).click();
  await expect(
    dialog(page).getByText('1 poll will be left unchanged because a later import changed it.'),
  ).toBeVisible();
  await expect(dialog(page).getByText(/^later\.csv, .* \(1 poll\)$/)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await undoLastImport(page);
  await undoLastImport(page);
  expect((await page.request.get('/api/polls/e2e-earlier')).status()).toBe(404);
});

test(
  'undoing an import keeps a new poll that has votes, and the dialog names it in advance',
  slow,
  async ({ page }) => {
    await openAdmin(page, '/admin/imports');
    await importThrough(page, 'voted.csv', file('e2e-voted', 'Does a vote hold this poll?'));
    const vote = {
      data: { optionId: 'o1' },
      headers: { 'x-device-id': `device_${Date.now().toString(36)}abcdefghij` },
    };
    expect((await page.request.post('/api/polls/e2e-voted/vote', vote)).ok()).toBe(true);
    await section(page, 'Imports').getByRole('button', { name: 'Undo: import of voted.csv' }).click();
    await expect(dialog(page).getByText('1 poll it added will stay because people have voted on it.')).toBeVisible();
    await expect(dialog(page).getByText('Does a vote hold this poll?')).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Undo the import' }).click();
    await expect(toast(page, 'Import Undone')).toBeVisible();
    expect((await pollNow(page, 'e2e-voted')).totalVotes).toBe(1);
    await expect(imports(page).first().getByText('1 left unchanged', { exact: false })).toBeVisible();
    expect((await page.request.post('/api/admin/polls/e2e-voted/close', { headers: operatorHeaders })).ok()).toBe(true);
  },
);

test(
  'undoing an import names and keeps a new poll that was edited since, and removes it only on request',
  slow,
  async ({ page }) => {
    await openAdmin(page, '/admin/imports');
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
  },
);

test('removing demonstration polls needs confirmation', async ({ page }) => {
  await openAdmin(page, '/admin/polls');
  await page.getByRole('button', { name: 'Remove demo polls' }).click();
  await expect(dialog(page).getByText(/It can’t be undone/)).toBeVisible();
  await page.route('**/api/admin/demonstration', (route) =>
    route.fulfill({ json: { polls: 42, communityPolls: 10, articles: 3 } }),
  );
  await dialog(page).getByRole('button', { name: 'Remove them' }).click();
  await expect(toast(page, 'Demo Polls Removed')).toBeVisible();
});

for (const colorScheme of themes)
  test(`the history of imports and its dialogs are accessible in the ${colorScheme} theme and fit a phone`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await openAdmin(page, '/admin/imports');
    await importThrough(page, `a-file-with-a-very-long-name-${'x'.repeat(60)}.csv`, file('e2e-phone', 'Fits it?'));
    await expect(toast(page, 'Upload Successful')).toBeVisible();
    await section(page, 'Imports').getByRole('button', { name: /^Undo/ }).click();
    await expect(dialog(page).getByText('1 poll it added will be removed.')).toBeVisible();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await undoLastImport(page);
  });

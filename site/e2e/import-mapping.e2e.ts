import type { Page } from 'playwright/test';
import { mappingTexts as texts } from '#texts/imports.ts';
import { importNotes } from '#texts/poll-import.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { openAdmin, undoLastImport } from './operator.ts';
import { section, toast } from './page-helpers.ts';

const fixture = (name: string) => `api/polls/import/fixtures/${name}.csv`;
const mapping = (page: Page) => section(page, texts.heading);
const column = (page: Page, name: string) => mapping(page).getByLabel(texts.readAs(name), { exact: true });
const rows = (page: Page) => mapping(page).getByRole('list', { name: texts.rows }).getByRole('listitem');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const textOf = async (page: Page, path: string) => (await page.request.get(path)).text();

async function choose(page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0], faults: string[]) {
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(mapping(page)).toBeVisible();
  // The browser logs the refusal of a file in another format.
  expect(faults.splice(0).join()).toContain('400');
}

test('the answers of people in one column become a poll, and cells with several are split by the known ones', async ({
  page,
  faults,
}) => {
  await openAdmin(page, '/admin/imports');
  await choose(page, fixture('google-forms'), faults);
  await expect(mapping(page).getByRole('status')).toContainText(texts.shapes.responses);
  await expect(button(page, texts.check)).toBeDisabled();
  await column(page, 'Which days suit you?').selectOption(texts.fields.response);
  await expect(rows(page)).toContainText(['Monday (3) · Tuesday, late (3) · On the weekend, if it must be (1)']);
  expect(await accessibilityFindings(page)).toEqual([]);
  await button(page, texts.check).click();
  await expect(page.getByText('An import would add 1 poll, update 0, and leave 0 unchanged.')).toBeVisible();
  await button(page, 'Upload CSV').click();
  await expect(toast(page, 'Upload Successful')).toBeVisible();
  const report = '/poll/which-days-suit-you-2026-01-15';
  await expect.poll(() => textOf(page, report)).toContain(importNotes.several(4));
  await undoLastImport(page);

  await choose(page, fixture('google-sheet'), faults);
  await column(page, 'What do you eat for breakfast?').selectOption(texts.fields.response);
  await expect(rows(page)).toContainText(['Bread, Fruit, Cold pizza, from last night (1)']);
  await mapping(page)
    .getByLabel(texts.answers, { exact: true })
    .fill('Bread\nCheese\nFruit\nCold pizza, from last night');
  await column(page, 'What do you eat for breakfast?').click();
  await expect(rows(page)).toContainText(['Bread (3) · Cheese (3) · Fruit (3) · Cold pizza, from last night (1)']);
});

test('a table with a column per answer becomes polls, as counts or as percentages that the report calls derived', async ({
  page,
  faults,
}) => {
  await openAdmin(page, '/admin/imports');
  await choose(page, fixture('results-in-counts'), faults);
  await expect(column(page, 'Yes')).toHaveValue('answer_votes');
  await expect(rows(page)).toContainText(["Yes (1,204) · No (311) · Don't know (96)", 'Yes (640) · No (702)']);
  await button(page, texts.check).click();
  await expect(page.getByText('An import would add 2 polls, update 0, and leave 0 unchanged.')).toBeVisible();
  await button(page, 'Upload CSV').click();
  await expect(toast(page, 'Upload Successful')).toBeVisible();
  const id = 'should-the-tram-run-at-night-2026-03-02';
  expect((await page.request.get(`/api/polls/${id}`)).status()).toBe(200);
  await undoLastImport(page);

  await choose(page, fixture('results-in-percent'), faults);
  await expect(column(page, 'samplesize')).toHaveValue('base');
  await expect(mapping(page).getByRole('status')).toHaveText(
    `${texts.shapes.results} ${texts.missing([texts.fields.question])}`,
  );
  await mapping(page).getByLabel(texts.fields.question, { exact: true }).fill('Do you approve of the mayor?');
  await mapping(page).getByLabel(texts.headerLine).click();
  await expect(rows(page)).toContainText([/Approve \(452\) · Disapprove \(522\) · Other or no answer \(30\)/, /473/]);
  await button(page, texts.check).click();
  await button(page, 'Upload CSV').click();
  await expect(page.getByText('2 new', { exact: false }).first()).toBeVisible();
  const report = '/poll/do-you-approve-of-the-mayor-2026-03-01';
  await expect.poll(() => textOf(page, report)).toContain(importNotes.derived('1004'));
  await undoLastImport(page);
});

test('a table that is neither says in a sentence what it is', async ({ page, faults }) => {
  await openAdmin(page, '/admin/imports');
  const contacts = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Phone\nAna,+49 30 1') };
  for (const [file, shape] of [
    [fixture('row-per-answer'), 'row-per-answer'],
    [contacts, 'other'],
  ] as const) {
    await choose(page, file, faults);
    await expect(mapping(page).getByRole('status')).toContainText(texts.shapes[shape]);
    await expect(button(page, texts.check)).toBeDisabled();
  }
});

for (const colorScheme of themes)
  test(`on a phone, ${colorScheme}, answers and percentages are mapped with the keyboard alone`, async ({
    page,
    faults,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await openAdmin(page, '/admin/imports');
    const keys = keyboardOf(page);
    const fits = async () =>
      expect([
        await accessibilityFindings(page, colorScheme),
        await page.evaluate(() => document.documentElement.scrollWidth),
      ]).toEqual([[], 390]);
    await choose(page, fixture('google-sheet'), faults);
    await page.locator('input[type=file]').focus();
    await keys.tabTo(column(page, 'What do you eat for breakfast?'));
    await keys.type(texts.fields.response);
    await keys.tabTo(mapping(page).getByLabel(texts.answers, { exact: true }));
    await keys.type('Bread');
    await keys.press('Enter');
    await keys.type('Cheese');
    await keys.press('Tab');
    await expect(rows(page)).toContainText(['Bread (3) · Cheese (3) · Other (3)']);
    await fits();

    await choose(page, fixture('results-in-percent'), faults);
    await page.locator('input[type=file]').focus();
    await keys.tabTo(mapping(page).getByLabel(texts.fields.question, { exact: true }));
    await keys.type('Do you approve of the mayor?');
    await keys.press('Tab');
    await expect(rows(page)).toContainText([/Approve \(452\)/, /473/]);
    await fits();
    await keys.use(button(page, texts.check));
    await expect(page.getByText('An import would add 2 polls, update 0, and leave 0 unchanged.')).toBeVisible();
  });

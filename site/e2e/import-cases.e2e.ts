import type { Page } from 'playwright/test';
import type { ImportResult } from '#contract/poll-import.ts';
import { pollFor } from '#api/polls/polls.service.ts';
import { bytesOf, casesPresent, differencesFrom, hasPython, importCases, isMade } from '#api/testing/import-cases.ts';
import type { Case, Step } from '#api/testing/import-cases.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { fixedClock } from '#platform/clock.ts';
import { expect, test } from './fixtures.ts';
import { openImportDesk } from './import-desk.ts';
import type { ImportDesk } from './import-desk.ts';
import { originOf } from './installation.ts';
import { sites } from './sites.ts';

let desk: ImportDesk;
test.beforeAll(async () => {
  if (casesPresent) desk = await openImportDesk(originOf(sites.main));
});
test.afterAll(async () => {
  if (casesPresent) await desk.close();
});

test.skip(!casesPresent, 'The import cases lie beside a developer’s checkout, and there are none here.');

/** The counts in the result box with this heading: new, updated, unchanged, rejected. */
async function told(page: Page, heading: string): Promise<readonly number[]> {
  const box = page
    .locator('[aria-live=polite]')
    .filter({ has: page.getByRole('heading', { name: heading, exact: true }) });
  await expect(box).toBeVisible({ timeout: 150_000 });
  return (await box.locator('dl dd').allTextContents()).map((text) => Number(text.replaceAll(',', '')));
}

const numbersOf = ({ inserted, updated, unchanged, rejected }: ImportResult) => [
  inserted,
  updated,
  unchanged,
  rejected,
];

/** Imports one file like an operator and compares page and response with the expected result. */
async function importFile(page: Page, step: Step, name: string): Promise<void> {
  if (step.mode === 'all-or-nothing') await page.getByLabel('Import nothing if any row is wrong').check();
  const looked = page.waitForResponse('**/bulk-upload', { timeout: 150_000 });
  const file = { name, mimeType: 'text/csv', buffer: await bytesOf(step) };
  await page.locator('input[type=file]').setInputFiles(file);
  const preview = (await (await looked).json()) as ImportResult;
  expect(await told(page, 'Before the upload')).toEqual(numbersOf(preview));
  if (step.dryRun === true) {
    expect(differencesFrom(step, preview)).toEqual([]);
    return;
  }
  const imported = page.waitForResponse('**/bulk-upload', { timeout: 150_000 });
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const result = (await (await imported).json()) as ImportResult;
  expect(differencesFrom(step, result), result.message).toEqual([]);
  expect(await told(page, 'Result')).toEqual(numbersOf(result));
  await expect(page.getByText(result.message, { exact: true }).first()).toBeVisible();
  const [first] = result.errors;
  if (first) await expect(page.getByRole('cell', { name: first.reason, exact: true }).first()).toBeVisible();
}

async function follow(page: Page, { name, steps }: Case): Promise<void> {
  const db = await desk.clear();
  await page.addInitScript((password) => sessionStorage.setItem('adminPassword', password), testAdminPassword);
  await page.goto(`${desk.origin}/admin`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  for (const step of steps) {
    await importFile(page, step, step.file ?? `${name}.csv`);
    for (const { id, field, equals } of step.expect.checks ?? []) {
      const poll = await pollFor({ db, clock: fixedClock(testNow) }, id, null);
      expect(poll[field as keyof typeof poll], `${field} of ${id}`).toEqual(equals);
    }
  }
}

/** One file per kind of result; the HTTP tests import all files, and the slow tests import all in a browser. */
const quick = new Set([
  'good-all-columns',
  'windows-1252',
  'column-count',
  'import-again',
  'huge-question',
  'mixed-all-or-nothing',
  'mixed-dry-run',
]);

for (const one of importCases.filter(({ name }) => name !== 'wrong-extension' && (runsSlow || quick.has(name))))
  test(`${one.name}, uploaded in a browser: ${one.outcome}`, async ({ page, faults }) => {
    test.skip(isMade(one) && !hasPython, 'The file of this case is made by python3.');
    test.setTimeout(isMade(one) ? 300_000 : 30_000);
    await follow(page, one);
    // The browser logs each refused file.
    expect(faults.splice(0).filter((fault) => !fault.includes('400'))).toEqual([]);
  });

test('wrong-extension, selected in a browser: the page refuses it, and nothing is sent', async ({ page }) => {
  await desk.clear();
  await page.addInitScript((password) => sessionStorage.setItem('adminPassword', password), testAdminPassword);
  await page.goto(`${desk.origin}/admin`);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  let sent = 0;
  page.on('request', (request) => (sent += request.url().endsWith('/bulk-upload') ? 1 : 0));
  const step = importCases.find(({ name }) => name === 'wrong-extension')?.steps[0];
  if (!step) throw new Error('The manifest has no such case any more.');
  const file = { name: 'wrong-extension.txt', mimeType: 'text/plain', buffer: await bytesOf(step) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText('Invalid File', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Please select a CSV file.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload CSV' })).toBeDisabled();
  expect(sent).toBe(0);
});

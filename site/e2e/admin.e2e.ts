import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { damageReport } from '#api/testing/damaged-report.ts';
import { pictureBytes } from '#contract/limits.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { pictureTexts } from '#texts/pictures.ts';
import { createPoll, newPerson } from './community-people.ts';
import { accessibilityFindings, expect, slow, test, themes } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { signInAsOperator, submitPassword } from './operator.ts';
import { enterPassword, section, toast } from './page-helpers.ts';
import { sites } from './sites.ts';

const fixture = (name: string) => `api/polls/import/fixtures/${name}.csv`;
const picker = (page: Page) => page.locator('input[type=file]');
const upload = (page: Page) => page.getByRole('button', { name: 'Upload CSV' });

test('[S2.5 S2.121 S2.126 S4.10 S8.13 D9.3] the operator signs in with the right password only, stays signed in after a reload, and logs out', async ({
  page,
  faults,
}) => {
  await page.goto('/admin');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await expect(page.getByText('Enter your admin password to continue')).toBeVisible();
  await submitPassword(page, 'guess');
  await expect(page.getByText('The admin password is incorrect.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
  await expect(page.getByLabel('Admin password')).toBeFocused();
  // The browser logs the refusal.
  expect(faults.splice(0).join()).toContain('401');

  await page.getByLabel('Admin password').fill(operatorPassword);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Access Granted')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(operatorPassword);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain(operatorPassword);
  await page.reload();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('[S1.3 S2.122 S2.123 S2.124 S4.11 S8.13] the downloaded template is correct, and a file is checked before it is imported', async ({
  page,
}) => {
  await signInAsOperator(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('polls-template.csv');
  await expect(toast(page, 'Template Downloaded')).toBeVisible();
  const buffer = await readFile(await download.path());

  await picker(page).setInputFiles({ name: 'polls-template.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByText('An import would add 1 poll, update 0, and leave 0 unchanged.')).toBeVisible();

  // A closed poll: the other tests count the open ones.
  await picker(page).setInputFiles(fixture('every-column'));
  await expect(page.getByText('every-column.csv')).toBeVisible();
  await expect(page.getByText(/^Dry run: nothing was changed/)).toBeVisible();
  await upload(page).click();
  await expect(toast(page, 'Upload Successful')).toBeVisible();
  await expect(page.getByText('1 poll imported.').first()).toBeVisible();
  await expect(page.getByText('Imported 1 poll: 1 new, 0 updated, 0 unchanged.')).toBeVisible();
});

test('[S2.124 S4.11 S5.13 S8.14] errors in a file are shown with line, column, value, and reason', async ({
  page,
  faults,
}) => {
  await signInAsOperator(page);
  await picker(page).setInputFiles({ name: 'polls.txt', mimeType: 'text/plain', buffer: Buffer.from('id') });
  await expect(toast(page, 'Invalid File')).toBeVisible();
  await expect(page.getByText('Please select a CSV file.').first()).toBeVisible();
  await expect(upload(page)).toBeDisabled();

  await page.getByLabel('Import nothing if any row is wrong').check();
  await picker(page).setInputFiles(fixture('mixed'));
  await upload(page).click();
  await expect(toast(page, 'Upload Failed')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Yes or no' });
  await expect(row.getByRole('cell')).toHaveText(['3', 'options', 'Yes or no', /^This is neither a JSON list nor/]);
  expect(await accessibilityFindings(page)).toEqual([]);

  await picker(page).setInputFiles(fixture('semicolons'));
  await expect(page.getByLabel('Fields are separated by')).toHaveValue(';');
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await expect(page.getByText(/^Dry run: nothing was changed/)).toBeVisible();
  await expect(upload(page)).toBeEnabled();
  expect(faults.splice(0).every((fault) => fault.includes('400'))).toBe(true);
});

const publishes = (page: Page) =>
  section(page, 'Publish').getByRole('list', { name: 'Publishes, newest first' }).locator(':scope > li');

test('[D9.14 D9.16] rendering all pages shows its progress, and publishing can be paused', async ({ page }) => {
  test.setTimeout(180_000);
  await signInAsOperator(page, '/admin/health');
  const publish = section(page, 'Publish');
  await publish.getByRole('button', { name: 'Publish all again' }).click();
  await expect(publish.getByRole('progressbar', { name: 'Rendering pages' })).toBeVisible({ timeout: 20_000 });
  const newest = publishes(page).first();
  await expect(newest.getByText('All pages rendered: requested on the admin page')).toBeVisible({ timeout: 90_000 });
  await expect(publish.getByText('The site is up to date.')).toBeVisible({ timeout: 20_000 });

  await publish.getByRole('button', { name: 'Pause publishing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause publishing?' });
  await expect(dialog.getByText('Removed polls and articles still disappear at once.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await expect(toast(page, 'Publishing paused')).toBeVisible();
  await expect(publish.getByText(/^Publishing has been paused since .* Only removals are published\./)).toBeVisible();
  await expect(publish.getByRole('button', { name: 'Publish all again' })).toBeHidden();
  await publish.getByRole('button', { name: 'Resume publishing' }).click();
  await expect(publish.getByText('The site is up to date.')).toBeVisible({ timeout: 30_000 });
});

test('a failed publish shows why, and readers keep the older pages', slow, async ({ page }) => {
  test.setTimeout(120_000);
  await signInAsOperator(page, '/admin/health');
  const publish = section(page, 'Publish');
  const repair = await damageReport(`sqlite:${sites.main.dataDir}/weathervane.sqlite`);
  try {
    await publish.getByRole('button', { name: 'Publish all again' }).click();
    const alert = publish.getByRole('alert');
    await expect(alert).toContainText('The last publish failed; the old pages are still being served.', {
      timeout: 60_000,
    });
    await expect(alert).toContainText(/could not be rendered: .+ doesn’t match the contract/);
    expect(await accessibilityFindings(page)).toEqual([]);
  } finally {
    await repair();
  }
  expect((await page.request.get('/')).status()).toBe(200);
});

test('a community poll is featured and unfeatured', async ({ browser, page }) => {
  const poll = await createPoll(await newPerson(browser, 'Teller'));
  await signInAsOperator(page, '/admin/polls');
  await page.getByLabel('Address of a public community poll').fill('not an address');
  await page.getByRole('button', { name: 'Feature', exact: true }).click();
  await expect(page.getByText('This isn’t the address of a community poll.')).toBeVisible();
  await page.getByLabel('Address of a public community poll').fill(`https://x.example/community-polls/${poll.id}?a=b`);
  await page.getByRole('button', { name: 'Feature', exact: true }).click();
  const unfeature = page.getByRole('button', { name: `Unfeature: ${poll.question}` });
  await unfeature.click();
  await expect(unfeature).toHaveCount(0);
});

test('an article gets a title, a picture, and a time, each asked for in a form that says what is missing', async ({
  page,
  faults,
}) => {
  await signInAsOperator(page, '/admin/content');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'New article' }).click();
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(dialog.getByText('Please enter a title.')).toBeVisible();
  await dialog.getByLabel('Title').fill('Who asks, and when');
  await dialog.getByLabel('Title').press('Enter');
  await expect(page).toHaveURL(/entry=blog%2Fwho-asks-and-when/);

  await page.getByRole('button', { name: 'Insert picture…' }).click();
  await dialog.getByRole('button', { name: 'Insert picture' }).click();
  await expect(dialog.getByText('Please choose a picture.')).toBeVisible();
  await expect(dialog.getByText('Please say what the picture shows.')).toBeVisible();
  await dialog.getByLabel('Picture', { exact: true }).setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(pictureBytes + 1),
  });
  await dialog.getByLabel('What does the picture show?').fill('A ballot');
  await dialog.getByRole('button', { name: 'Insert picture' }).click();
  await expect(dialog.getByText(pictureTexts.tooManyBytes)).toBeVisible();
  await dialog.getByLabel('Picture', { exact: true }).setInputFiles({
    name: 'ballot.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  });
  await dialog.getByRole('button', { name: 'Insert picture' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue(/!\[A ballot\]\(\/images\/\S+\)/);

  await page.getByLabel('Summary').fill('What an article needs.');
  await page.getByRole('button', { name: 'Schedule…' }).click();
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(dialog.getByText('Please enter a date and time.')).toBeVisible();
  await dialog.getByLabel('Date and time', { exact: true }).fill('2036-05-04');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByText(/^To be published May 4, 2036/)).toBeVisible();

  await page.getByRole('button', { name: 'Delete…' }).click();
  await dialog.getByRole('button', { name: /^Delete/ }).click();
  await expect(toast(page, 'Article Deleted')).toBeVisible();
  // The page may have asked for the article once more.
  expect(faults.splice(0).filter((fault) => !fault.includes('404'))).toEqual([]);
});

test('every admin page fits a phone, is accessible, names itself, and loads only its own code', async ({ page }) => {
  test.setTimeout(90_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await enterPassword(page);
  let scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  for (const { path, title, link } of Object.values(adminPages)) {
    scripts = [];
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${title} · Admin`));
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    const pages = page.getByRole('navigation', { name: 'Admin pages' });
    await expect(pages.locator('[aria-current=page]')).toHaveText(link);
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
    // Other tests check the others, with more on them.
    const isChecked = ['/admin/moderation', '/admin/settings'].includes(path);
    const findings = isChecked ? await accessibilityFindings(page) : [];
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    const islands = scripts.flatMap((script) => /\/(\w+)Page\.island\./.exec(script)?.[1] ?? []);
    expect([path, findings, width, islands]).toEqual([path, [], 390, [title]]);
  }
});

test('the month of the calendar is in its address, and times are in the site’s zone, wherever the operator is', async ({
  page,
}) => {
  await signInAsOperator(page, '/admin/polls?view=calendar&month=2026-02');
  await expect(page.getByRole('heading', { name: 'February 2026' })).toBeVisible();
  await page.getByRole('link', { name: 'Previous month' }).click();
  await expect(page.getByRole('heading', { name: 'January 2026' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'February 2026' })).toBeVisible();
  await page.getByRole('link', { name: 'Change' }).click();
  await expect(page.getByText('The site is in UTC:')).toBeVisible();
  await page.goto('/admin/health');
  await expect(page.getByText('Times in UTC')).toBeVisible();
  await expect(page.getByText(/\d\d:\d\d UTC/).first()).toBeVisible();
});

for (const colorScheme of themes)
  test(`the page is accessible in the ${colorScheme} theme and fits a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/admin');
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    await signInAsOperator(page);
    await picker(page).setInputFiles(fixture('every-column'));
    await expect(page.getByText(/^Dry run/)).toBeVisible();
    await page.getByText('CSV format guide').click();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

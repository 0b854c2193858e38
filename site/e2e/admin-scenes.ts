import type { Page } from 'playwright';
import { operatorPassword } from './installation.ts';
import type { Scene } from './scenes.ts';

async function enter(page: Page): Promise<void> {
  await page.getByLabel('Admin password').fill(operatorPassword);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  await page.getByText('Served now').waitFor();
}

/** The operator's page. */
export const adminScenes: readonly Scene[] = [
  { name: 'admin-locked', path: () => '/admin' },
  {
    name: 'admin-wrong',
    path: () => '/admin',
    async act(page) {
      await page.getByLabel('Admin password').fill('guess');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The admin password is wrong.').waitFor();
    },
  },
  { name: 'admin-panel', path: () => '/admin', act: enter },
  {
    name: 'admin-dry-run',
    path: () => '/admin',
    async act(page) {
      await enter(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/mixed.csv');
      await page.getByText(/^Dry run/).waitFor();
      await page.getByText('CSV format guide').click();
    },
  },
  {
    name: 'admin-undo',
    path: () => '/admin',
    async act(page) {
      await enter(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/three-polls.csv');
      await page.getByText(/^Dry run/).waitFor();
      await page.getByRole('button', { name: 'Upload CSV' }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      await page
        .getByRole('button', { name: /^Undo: import/ })
        .first()
        .click();
      await page.getByText('No vote that was cast here is lost.').waitFor();
    },
    fullPage: false,
  },
  {
    name: 'admin-edit-poll',
    path: () => '/admin',
    async act(page) {
      await enter(page);
      await page
        .getByRole('button', { name: /^Edit texts:/ })
        .first()
        .click();
      await page.getByLabel('Question', { exact: true }).waitFor();
    },
  },
  {
    name: 'admin-reopen-poll',
    path: () => '/admin',
    async act(page) {
      await enter(page);
      await page.getByLabel('State').selectOption('closed');
      await page
        .getByRole('button', { name: /^Open again:/ })
        .first()
        .click();
      await page.getByLabel('New end').waitFor();
    },
    fullPage: false,
  },
];

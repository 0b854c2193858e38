import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { EditedPoll, PollContent } from '#api/polls/poll-editor.contract.ts';
import type { ImportHistory } from '#api/polls/import/poll-import.contract.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { expect } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { enterPassword } from './page-helpers.ts';

/** The headers of an operator’s request. */
export const operatorHeaders = { [adminPasswordHeader]: operatorPassword };

/** A file with one closed poll that no other test imports. */
export async function ownFile(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const rows = await readFile('api/polls/import/fixtures/every-column.csv', 'utf8');
  const own = rows.replace('window-seat', `walk-${Date.now().toString(36)}`);
  return { name: 'walk.csv', mimeType: 'text/csv', buffer: Buffer.from(own) };
}

/** Undoes the last import, because other tests count the polls. */
export async function undoLastImport(page: Page): Promise<void> {
  const history = (await (
    await page.request.get('/api/admin/imports', { headers: operatorHeaders })
  ).json()) as ImportHistory;
  const id = history.imports.find(({ undoable }) => undoable)?.id ?? '';
  expect((await page.request.post(`/api/admin/imports/${id}/undo`, { headers: operatorHeaders })).ok()).toBe(true);
}

/** Opens an admin page and enters a password. */
export async function submitPassword(page: Page, password = operatorPassword, path = '/admin'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Admin password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Opens an admin page in a window where the password was entered before. */
export async function openAdmin(page: Page, address: string, password = operatorPassword): Promise<void> {
  await enterPassword(page, password);
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
}

/** Opens an admin page as the operator, who enters the password. */
export async function signInAsOperator(page: Page, path = '/admin'): Promise<void> {
  await submitPassword(page, operatorPassword, path);
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
}

/** The editor of a poll. */
export const pollForm = (page: Page) => page.getByRole('form', { name: 'Poll', exact: true });

/** Waits until the editor has saved the draft. */
export const draftSaved = (page: Page) =>
  expect(pollForm(page).getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

/** A draft that can be published. */
export async function newDraft(page: Page, question: string, more: Partial<PollContent> = {}): Promise<EditedPoll> {
  const send = { headers: operatorHeaders };
  const created = await page.request.post('/api/admin/polls', { ...send, data: {} });
  const { id, version } = (await created.json()) as EditedPoll;
  const times = { startsAt: '2030-12-01T00:00:00Z', endsAt: '2031-01-01T00:00:00Z' };
  const options = ['Yes', 'No'].map((text) => ({ id: text.toLowerCase(), text }));
  const data = { version, question, description: 'For the tests.', options, ...times, ...more };
  const answer = await page.request.patch(`/api/admin/polls/${id}/draft`, { ...send, data });
  return (await answer.json()) as EditedPoll;
}

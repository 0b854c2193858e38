import type { Page } from 'playwright/test';
import type { ImportHistory } from '#contract/import-history.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { expect } from './fixtures.ts';
import { operatorPassword } from './installation.ts';

/** What makes a call one of the operator's. */
export const asOperator = { [adminPasswordHeader]: operatorPassword };

/** Takes the last import back, so that the other tests find the polls that they count. */
export async function undoLast(page: Page): Promise<void> {
  const history = (await (
    await page.request.get('/api/admin/imports', { headers: asOperator })
  ).json()) as ImportHistory;
  const id = history.imports.find(({ undoable }) => undoable)?.id ?? '';
  expect((await page.request.post(`/api/admin/imports/${id}/undo`, { headers: asOperator })).ok()).toBe(true);
}

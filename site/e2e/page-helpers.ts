import type { APIRequestContext, Locator, Page } from 'playwright/test';
import type { Poll } from '#api/polls/polls.contract.ts';
import { operatorPassword } from './installation.ts';

/** Where messages appear, and the message with a title. */
export const toasts = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ });
export const toast = (page: Page, title: string): Locator => toasts(page).getByText(title, { exact: true });

/** The region with this heading. */
export const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Who reads from the API: a page with its cookies, a client, or anybody, by the origin of the installation. */
type Reader = Page | APIRequestContext | string;

/** Reads JSON from the API. */
export async function read<T>(as: Reader, path: string): Promise<T> {
  if (typeof as === 'string') return (await (await fetch(as + path)).json()) as T;
  return (await (await ('request' in as ? as.request : as).get(path)).json()) as T;
}

export const openPolls = (as: Reader): Promise<Poll[]> => read<Poll[]>(as, '/api/polls/active');

/** A poll as the API gives it now. */
export const pollNow = (as: Reader, id: string): Promise<Poll> => read<Poll>(as, `/api/polls/${id}`);

/** Registers in the open form, with fields by their label, and confirms that the recovery codes are saved. */
export async function registerInForm(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Register' });
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
}

/** The page’s next documents are those of the operator, who has entered the password in this window. */
export const enterPassword = (page: Page, password = operatorPassword): Promise<unknown> =>
  page.addInitScript((entered) => sessionStorage.setItem('adminPassword', entered), password);

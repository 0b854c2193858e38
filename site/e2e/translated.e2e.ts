import type { Page } from 'playwright/test';
import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import { expect, test } from './fixtures.ts';
import { operatorHeaders, signInAsOperator } from './operator.ts';
import { enterPassword, openPolls } from './page-helpers.ts';

/* Pages that the browser translates: it puts elements of its own in place of the texts. */

/** Translates the open page, and what appears in it later, into capitals. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const untranslated = 'script, style, noscript, title, textarea, option, font, svg, [translate=no]';
    // Deprecated, and what browsers use.
    const font = () => document.createElement('FONT'.toLowerCase());
    const visit = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (text.data.trim() === '' || text.parentElement?.closest(untranslated) !== null) continue;
        const [outer, inner] = [font(), font()];
        inner.textContent = text.data.toUpperCase();
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    visit(document.body);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') visit(target);
        else for (const node of addedNodes) if (node.isConnected) visit(node);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

async function openTranslated(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await translate(page);
}

/** Failures of scripts; refused requests are expected. */
function scriptFaultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  return faults;
}

const submitForms = (page: Page) =>
  page.locator('main form:visible, dialog[open] form').evaluateAll((forms) => {
    for (const form of forms as HTMLFormElement[]) {
      form.noValidate = true;
      // A search is a link to another page.
      if (form.method !== 'get' || form.querySelector('[type=search]') === null) form.requestSubmit();
    }
    return forms.length;
  });

/** Sends every form of the page as it is, then presses every button, and sends the forms of the dialogs that open. */
async function useAll(page: Page, path: string): Promise<number> {
  await openTranslated(page, path);
  const faults = scriptFaultsOf(page);
  let forms = await submitForms(page);
  await page.waitForTimeout(300);
  const buttons = await page.locator('main button[type=button]:visible').count();
  for (let at = 0; at < buttons; at += 1) {
    const button = page.locator('main button[type=button]:visible').nth(at);
    // What was pressed before may have removed it. A notification above it is no reason to wait.
    if (!(await button.isVisible())) continue;
    await button
      .evaluate((element: HTMLButtonElement) => element.click(), null, { timeout: 500 })
      .catch(() => undefined);
    await page.waitForTimeout(60);
    if ((await page.locator('dialog[open]').count()) === 0) continue;
    forms += await submitForms(page);
    await page.waitForTimeout(200);
    await page.keyboard.press('Escape');
  }
  await page.waitForTimeout(200);
  expect([path, faults]).toEqual([path, []]);
  // A component that fails takes its part of the page with it.
  await expect(page.locator('main h1')).toBeVisible();
  return forms;
}

async function useEach(page: Page, paths: readonly string[]): Promise<number> {
  let forms = 0;
  for (const path of paths) forms += await useAll(page, path);
  return forms;
}

test('on a translated page, somebody registers, sees the recovery codes, and signs in after a refusal', async ({
  page,
  faults,
}) => {
  const username = `traducida-${process.pid}-${Date.now().toString(36)}`;
  await openTranslated(page, '/auth#register');
  const form = page.getByRole('tabpanel', { name: 'REGISTER' });
  const submit = form.getByRole('button', { name: 'REGISTER', exact: true });
  await form.getByLabel('USERNAME').fill('ab');
  await submit.click();
  await expect(form.getByText('USERNAME MUST BE AT LEAST 3 CHARACTERS')).toBeVisible();
  await form.getByLabel('USERNAME').fill(username);
  await form.getByLabel('PASSWORD', { exact: true }).fill('a windy day');
  await form.getByLabel('FIRST NAME').fill('Rosa');
  await form.getByLabel('LAST NAME').fill('Wind');
  await submit.click();
  await expect(page.getByRole('button', { name: 'I’VE SAVED THEM' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(8);
  await page.getByRole('button', { name: 'I’VE SAVED THEM' }).click();
  await expect(page).toHaveURL('/');

  await page.context().clearCookies();
  await openTranslated(page, '/auth');
  const login = page.getByRole('tabpanel', { name: 'LOGIN' });
  await login.getByLabel('USERNAME').fill(username);
  await login.getByLabel('PASSWORD', { exact: true }).fill('not this one');
  const enter = login.getByRole('button', { name: 'LOGIN', exact: true });
  await enter.click();
  await expect(login.getByText(/INVALID|WRONG|INCORRECT/).first()).toBeVisible();
  await login.getByLabel('PASSWORD', { exact: true }).fill('a windy day');
  await enter.click();
  await expect(page).toHaveURL('/');
  // The refusal of the password.
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.startsWith('Failed to load resource')));
});

test('on translated pages, every form answers, and every button works', async ({ browser, page, baseURL, faults }) => {
  test.setTimeout(180_000);
  const [open] = await openPolls(page);
  const anna = await newPerson(browser, 'Anna', { baseURL });
  const mine = await createPoll(anna, { visibility: 'private' });
  const [shown, own] = [await createPoll(anna), await createPoll(anna)];
  await postComment(anna, shown, 'First.');
  await postComment(anna, own, 'First.');

  // Of the right form, and of no mail.
  const secret = 'x'.repeat(43);
  const addresses = [
    '/auth',
    '/auth#register',
    '/auth/recover',
    `/auth/recover#reset=${secret}`,
    `/auth/email#confirm=${secret}`,
    `/auth/email#stop=${secret}`,
  ];
  const polls = [`/poll/${open!.id}`, urlOf(shown), '/community-polls'];
  const members = ['/community-polls/new', '/profile', '/profile/notifications', '/profile/account'];
  // Most of the time is waiting, which tabs can do together.
  const tab = await page.context().newPage();
  const counts = await Promise.all([
    useEach(page, addresses),
    useEach(tab, polls),
    useEach(anna.page, [urlOf(mine), urlOf(own), ...members]),
  ]);
  const forms = counts.reduce((sum, count) => sum + count);
  expect(forms).toBeGreaterThan(15);
  const others = faults.filter((fault) => !fault.startsWith('Failed to load resource'));
  faults.splice(0, faults.length, ...others);
});

test('on translated admin pages, forms that are refused stay', async ({ page, faults }) => {
  await openTranslated(page, '/admin');
  await page.getByLabel('ADMIN PASSWORD').fill('wrong');
  await page.getByRole('button', { name: 'CONTINUE' }).click();
  await expect(page.locator('main [role=alert]:visible, main [aria-invalid=true]').first()).toBeVisible();
  await signInAsOperator(page);
  const second = await page.context().newPage();
  await enterPassword(second);
  const submitEach = async (tab: Page, paths: readonly string[]) => {
    const found = scriptFaultsOf(tab);
    for (const path of paths) {
      await openTranslated(tab, path);
      await submitForms(tab);
      await tab.waitForTimeout(300);
      expect([path, found]).toEqual([path, []]);
      await expect(tab.locator('main h1')).toBeVisible();
    }
  };
  await Promise.all([
    submitEach(page, ['/admin/moderation', '/admin/imports', '/admin/settings', '/admin/polls']),
    submitEach(second, ['/admin/content', '/admin/polls?view=calendar', '/admin/moderation']),
  ]);
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.startsWith('Failed to load resource')));
});

test('on a translated page, a member comments and replies, and somebody without an account reports a comment', async ({
  browser,
  page,
}) => {
  const [anna, ben] = [await newPerson(browser, 'Anna'), await newPerson(browser, 'Ben')];
  const poll = await createPoll(anna);
  await postComment(anna, poll, 'First.');

  await openTranslated(ben.page, urlOf(poll));
  const comments = ben.page.getByRole('list', { name: 'Comments, newest first' });
  await ben.page.getByLabel('YOUR COMMENT').fill('Well said.');
  await ben.page.getByRole('button', { name: 'POST COMMENT' }).click();
  await expect(comments.getByText('WELL SAID.')).toBeVisible();
  await ben.page.getByRole('button', { name: `Reply to ${anna.name}` }).click();
  const reply = ben.page.getByLabel(`YOUR REPLY TO ${anna.name.toUpperCase()}`);
  await reply.fill(`@${anna.username} Why?`);
  await ben.page.getByRole('button', { name: 'POST REPLY' }).click();
  await expect(comments.getByText(`@${anna.username!.toUpperCase()} WHY?`)).toBeVisible();
  await expect(reply).toHaveCount(0);

  await openTranslated(page, urlOf(poll));
  await page.getByRole('button', { name: `Report comment by ${anna.name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'REPORT THIS COMMENT?' });
  await dialog.getByLabel('EMAIL ADDRESS (OPTIONAL)').fill('nobody');
  await dialog.getByRole('button', { name: 'SEND REPORT' }).click();
  await expect(dialog.getByText('INVALID EMAIL ADDRESS')).toBeVisible();
  await dialog.getByLabel('EMAIL ADDRESS (OPTIONAL)').fill('');
  await dialog.getByRole('button', { name: 'SEND REPORT' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'REPORTED', exact: true })).toBeVisible();
  expect([...anna.faults, ...ben.faults]).toEqual([]);
});

test('on a translated admin page, a poll is written, corrected, and scheduled', async ({ page }) => {
  await signInAsOperator(page, '/admin/polls');
  await translate(page);
  await page.getByRole('button', { name: 'NEW POLL' }).click();
  const form = page.getByRole('form', { name: 'Poll' });
  await form.getByLabel('QUESTION', { exact: true }).fill('x'.repeat(501));
  await expect(form.getByText('QUESTION CANNOT EXCEED 500 CHARACTERS')).toBeVisible();
  await expect(form.getByText('NOT SAVED UNTIL YOU CORRECT WHAT IS MARKED')).toBeVisible();
  await form.getByLabel('QUESTION', { exact: true }).fill('Do translated editors write polls?');
  await expect(form.getByText('QUESTION CANNOT EXCEED 500 CHARACTERS')).toHaveCount(0);
  for (const [place, text] of ['Yes', 'No'].entries())
    await form.getByLabel(`OPTION ${place + 1}`, { exact: true }).fill(text);
  await form.getByLabel('DESCRIPTION').fill('In capitals.');
  await expect(form.getByText('SAVED', { exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'SCHEDULE', exact: true }).click();
  await expect(page.getByRole('region', { name: /Notifications/ }).getByText('POLL SCHEDULED')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('poll') ?? '';
  const data = { reason: 'A test.' };
  expect((await page.request.delete(`/api/admin/polls/${id}`, { headers: operatorHeaders, data })).ok()).toBe(true);
});

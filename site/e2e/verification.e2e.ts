import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { keep, publish, publishedPoll, receipts, seenBefore, serveRecount, tampered } from './published-poll.ts';

const path = `/poll/${publishedPoll.id}/recount`;
const memoryKey = 'weathervane-site-log';
const receiptsKey = 'weathervane-receipts';

const start = (page: Page) => page.getByRole('button', { name: 'Recount now' });
const status = (page: Page) => page.locator('[data-part=status]');
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

async function recount(page: Page): Promise<void> {
  await page.goto(path);
  await start(page).click();
  await expect(page.getByRole('button', { name: 'Recount again' })).toBeFocused();
}

test('a recount verifies a closed poll in the browser, finds this device’s receipt, and remembers the log', async ({
  page,
}) => {
  const requests: string[] = [];
  page.context().on('request', (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await keep(page, { [receiptsKey]: receipts });
  await publish(page);
  await recount(page);
  await expect(status(page)).toHaveText(/^Verified\. The list matches the signed checkpoints\./);
  await expect(page.getByRole('heading', { name: 'Verified' })).toBeVisible();
  const cells = (await page.locator('tbody tr').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
  expect(cells).toEqual(
    ['Tea ☕ 9 0 1 4,570', 'Coffee 10 2 0 0'].map((text) => expect.stringMatching(text.replaceAll(' ', '\\s*'))),
  );
  await expect(page.getByText('4,570 imported or earlier, not verifiable')).toBeVisible();
  await expect(page.getByText('Your vote is in the published list, counted for Tea ☕.')).toBeVisible();
  await expect(page.getByText('First visit: this browser hasn’t seen our key before')).toBeVisible();
  expect(JSON.parse((await stored(page, memoryKey))!)).toEqual([seenBefore]);
  await recount(page);
  await expect(page.getByText('First visit: this browser hasn’t seen our key before')).toBeHidden();
  const code = receipts[0]!.receipt;
  expect(requests.length).toBeGreaterThan(5);
  expect(requests.filter((request) => request.includes(code) || request.includes(code.replaceAll('-', '')))).toEqual(
    [],
  );
});

test('a recount says what is wrong with a changed list, and doesn’t replace what this browser saw earlier', async ({
  page,
}) => {
  await publish(page, tampered('changed option'));
  await recount(page);
  await expect(page.getByRole('heading', { name: 'Not verified' })).toBeVisible();
  await expect(status(page)).toContainText('at least one vote was changed or replaced');
  await expect(page.getByText('Code: root-mismatch (checkpoint 2)')).toBeVisible();
  expect(await stored(page, memoryKey)).toBeNull();
});

test('a recount refuses a rewritten history, keeps the earlier checkpoint, and offers both as a file', async ({
  page,
}) => {
  const rewritten = { ...seenBefore, note: seenBefore.note.replace(/\n7\n.*/, `\n5\n${'A'.repeat(43)}=`) };
  await keep(page, { [memoryKey]: [rewritten] });
  await publish(page);
  await recount(page);
  await expect(status(page)).toContainText('no longer contains what was seen of it earlier');
  expect(JSON.parse((await stored(page, memoryKey))!)).toEqual([rewritten]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save what was seen earlier and now as a file' }).click(),
  ]);
  const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    seenEarlier: unknown;
    seenNow: { note: string };
  };
  expect([file.seenEarlier, file.seenNow.note]).toEqual([[rewritten], seenBefore.note]);
});

test('a recount can be canceled, and says when the poll has no list or the site can’t be reached', async ({
  page,
  faults,
}) => {
  await serveRecount(page);
  await page.goto(path);
  await start(page).click();
  await expect(status(page)).toHaveText('There is no poll at this address, or you may not see it.');
  await page.context().route('**/api/**', () => undefined);
  await page.getByRole('button', { name: 'Recount again' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(status(page)).toHaveText('Canceled. Nothing was changed.');
  await page.context().unrouteAll();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Recount again' }).click();
  await expect(status(page)).toContainText('could not be downloaded');
  expect(faults.splice(0).every((fault) => /404|ERR_INTERNET_DISCONNECTED/.test(fault))).toBe(true);
});

test('the list of receipts opens and works without a network, and forgets one or all', async ({ page, faults }) => {
  await page.goto('/about');
  await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [receiptsKey, JSON.stringify(receipts)]);
  await page.goto('/my-votes');
  await expect(page.getByText('2 receipts')).toBeVisible();
  const isStored = () => page.evaluate(async () => Boolean(await caches.match('/my-votes', { ignoreVary: true })));
  await expect.poll(isStored).toBe(true);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText('2 receipts')).toBeVisible();
  await expect(page.getByText(receipts[0]!.receipt)).toBeVisible();
  await page.getByRole('button', { name: 'Check the vote on Tea or coffee?' }).click();
  await expect(page.getByText('Could not be checked now. The receipt is safe on this device.')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(receipts);
  await page.getByRole('button', { name: 'Forget the receipt for Tea or coffee?' }).click();
  await expect(page.getByRole('heading', { name: 'My Votes' })).toBeFocused();
  await expect(page.getByText('1 receipt')).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Forget receipts on this device' }).click();
  await expect(page.getByText('This device has no receipts.')).toBeVisible();
  expect(await stored(page, receiptsKey)).toBeNull();
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(0);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(faults.splice(0).every((fault) => fault.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true);
});

test('a receipt is checked against the published list without being sent', async ({ page }) => {
  const [own] = receipts;
  await keep(page, { [receiptsKey]: [own, { ...own!, poll: publishedPoll.id, optionId: 'coffee' }] });
  await publish(page);
  await page.goto('/my-votes');
  await page.getByRole('button', { name: 'Check the vote on Tea or coffee?' }).first().click();
  await expect(page.getByText('Your vote is in the published list, counted for Tea ☕.')).toBeVisible();
  await page.getByRole('button', { name: 'Check the vote on Tea or coffee?' }).last().click();
  await expect(page.getByText('The list has this receipt with another option: Tea ☕.')).toBeVisible();
});

test('a recount names its poll in title and heading, without JavaScript too', async ({ browser, page }) => {
  const response = await page.request.get('/api/polls/historical/paginated?page=1&limit=1&sort=newest');
  const [poll] = ((await response.json()) as { polls: { id: string; question: string }[] }).polls;
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`/poll/${poll!.id}/recount`);
  await expect(plain.getByRole('heading', { level: 1, name: `Recount: ${poll!.question}` })).toBeVisible();
  expect((await plain.title()).startsWith(`Recount: ${poll!.question}`)).toBe(true);
});

test('the link of a receipt opens the list at that receipt, and every page links to the list', async ({ page }) => {
  const others = Array.from({ length: 12 }, (_, index) => ({ ...receipts[1]!, poll: `other-${index}` }));
  await keep(page, { [receiptsKey]: [...others, receipts[0]] });
  await page.goto('/about');
  await page.getByRole('contentinfo').getByRole('link', { name: 'My Votes' }).click();
  await expect(page.getByText('13 receipts')).toBeVisible();
  await page.goto(`/my-votes#vote-${publishedPoll.id}`);
  await expect(page.getByRole('listitem').filter({ hasText: publishedPoll.question })).toBeFocused();
  await expect(page.getByText(receipts[0]!.receipt)).toBeInViewport();
});

test('the verifier can be downloaded as one file', async ({ page }) => {
  const response = await page.request.get('/integrity/verify.mjs');
  expect(response.headers()['content-type']).toBe('text/javascript; charset=utf-8');
  expect(await response.text()).toMatch(/^#!\/usr\/bin\/env node\n/);
});

for (const theme of themes) {
  for (const width of [390, 1280]) {
    test(`recount and receipts are accessible and fit the screen: ${theme}, ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: theme });
      await keep(page, { [receiptsKey]: receipts });
      await publish(page);
      await recount(page);
      const findings = await accessibilityFindings(page, theme);
      const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
      const widths = [await widest()];
      await page.goto('/my-votes');
      findings.push(...(await accessibilityFindings(page, theme)));
      widths.push(await widest());
      expect(findings).toEqual([]);
      expect(widths).toEqual([width, width]);
    });
  }
}

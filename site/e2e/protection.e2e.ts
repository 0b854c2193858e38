import type { APIRequestContext, Browser, Page } from 'playwright/test';
import { startMailServer } from '#api/testing/mail-server.ts';
import type { MailServer } from '#api/testing/mail-server.ts';
import { mailedCodeTries } from '#contract/limits.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { openDatabase } from '#platform/database.ts';
import { accessibilityFindings, expect, test } from './fixtures.ts';
import { originOf, startInstallation } from './installation.ts';
import type { RunningSite } from './installation.ts';
import { operatorHeaders } from './operator.ts';
import { openPolls, pollNow } from './page-helpers.ts';
import { sites } from './sites.ts';

const baseURL = originOf(sites.protection);
const phone = { width: 390, height: 844 };
let mail: MailServer;
let site: RunningSite | undefined;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  mail = await startMailServer();
  site = await startInstallation(sites.protection, { SMTP_URL: mail.url, MAIL_FROM: 'desk@polls.example' });
});

test.afterAll(async () => {
  await site?.stop();
  await mail.close();
});

const openPage = async (browser: Browser, javaScriptEnabled = true) =>
  (await browser.newContext({ baseURL, viewport: phone, javaScriptEnabled })).newPage();

/** An open poll, as the API has it. */
const pollAt = async (request: APIRequestContext, place: number) => (await openPolls(request))[place]!;

/** Sends a request of the operator about a poll, and waits until votes of other browsers are refused. */
async function demand(browser: Browser, { id, options }: Poll, path: string, data: object): Promise<void> {
  await expect(async () => {
    // A vote that is recorded before the API has noticed must not stop the next try.
    const stranger = await browser.newContext({ baseURL });
    const { request } = stranger;
    const raised = await request.post(`/api/admin/flags/${id}/${path}`, { headers: operatorHeaders, data });
    expect([204, 409]).toContain(raised.status());
    const device = `device_${crypto.randomUUID().replaceAll('-', '')}`;
    const vote = await request.post(`/api/polls/${id}/vote`, {
      headers: { [deviceIdHeader]: device },
      data: { optionId: options[0]!.id },
    });
    await stranger.close();
    expect(vote.status()).toBe(428);
  }).toPass();
}

/** The newest mail to an address, once there are `count` of them. */
async function mailTo(address: string, count: number): Promise<string> {
  const received = () => mail.received.filter(({ to }) => to.includes(address));
  await expect.poll(() => received().length, { timeout: 60_000 }).toBe(count);
  return received().at(-1)!.text;
}
const codeIn = (text: string) => /\b(\d{6})\b/.exec(text)?.[1] ?? '';
const others = (code: string) =>
  Array.from({ length: mailedCodeTries }, (_, place) =>
    String((Number(code) + place + 1) % 1_000_000).padStart(6, '0'),
  );

const choose = async (page: Page, poll: Poll) => {
  await page.goto(`/poll/${poll.id}`);
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^vote/i }).click();
};

test('on a phone a vote on a poll that needs a confirmed address takes the mailed code, after five wrong ones another code, and each address once', async ({
  browser,
}) => {
  const page = await openPage(browser);
  const poll = await pollAt(page.request, 0);
  await demand(browser, poll, 'protection', { protection: 'email' });
  const email = 'anna@example.org';
  await choose(page, poll);
  const dialog = page.getByRole('dialog', { name: 'Confirm your email address' });
  await dialog.getByLabel('Email address').fill(email);
  expect(await accessibilityFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send the code' }).click();
  const first = codeIn(await mailTo(email, 1));
  const enter = async (code: string) => {
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByRole('button', { name: 'Vote', exact: true }).click();
  };
  for (const [place, wrong] of others(first).entries()) {
    await enter(wrong);
    const left = mailedCodeTries - 1 - place;
    await expect(dialog.getByRole('alert')).toContainText(
      left > 1 ? `${left} more tries` : left === 1 ? 'one more try' : 'wrong too often',
    );
  }
  await dialog.getByRole('button', { name: 'Send the code' }).click();
  await enter(codeIn(await mailTo(email, 2)));
  await expect(page.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  await expect(dialog).toBeHidden();
  const since = page.getByText(/^Since .*, a confirmed email address is needed; [\d,]+ votes were cast before\.$/);
  await expect(since.first()).toBeVisible();

  const other = await openPage(browser);
  await choose(other, poll);
  const again = other.getByRole('dialog');
  await again.getByLabel('Email address').fill('anna+again@example.org');
  await again.getByRole('button', { name: 'Send the code' }).click();
  expect(await mailTo('anna+again@example.org', 1)).toContain('already used');
  await again.getByLabel('Code').fill(first);
  await again.getByRole('button', { name: 'Vote', exact: true }).click();
  await expect(again.getByRole('alert')).toContainText('expired');
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(other.getByRole('radio').first()).toBeChecked();
  expect(await pollNow(page, poll.id)).toMatchObject({ totalVotes: poll.totalVotes + 1 });
});

test('without JavaScript a confirmed address is a page for the address, one for the code, which expires, and the vote', async ({
  browser,
}) => {
  const page = await openPage(browser, false);
  const poll = await pollAt(page.request, 1);
  await demand(browser, poll, 'protection', { protection: 'email' });
  const email = 'ben@example.org';
  await choose(page, poll);
  await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await expect(page.getByText(`six digits to ${email}`)).toBeVisible();
  const code = codeIn(await mailTo(email, 1));
  const enter = async (given: string) => {
    await page.getByLabel('Code').fill(given);
    await page.getByRole('button', { name: 'Vote', exact: true }).click();
  };
  await enter(others(code)[0]!);
  await expect(page.getByText(`You have ${mailedCodeTries - 1} more tries.`)).toBeVisible();
  const db = openDatabase(`sqlite:${sites.protection.dataDir}/weathervane.sqlite`);
  await db('vote_codes').update({ expires_at: Date.now() - 1 });
  await db.destroy();
  await enter(code);
  await expect(page.getByText('This code has expired, or was wrong too often. Ask for a new one.')).toBeVisible();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await enter(codeIn(await mailTo(email, 2)));
  await expect(page).toHaveURL(`/poll/${poll.id}/voted`);
  await expect(page.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
});

test('without JavaScript a voter under attack confirms an address, or has the vote held', async ({ browser }) => {
  const page = await openPage(browser, false);
  const poll = await pollAt(page.request, 2);
  await demand(browser, poll, 'challenge', { challenge: 'on', note: 'A test.' });
  const { totalVotes } = await pollNow(page, poll.id);
  await choose(page, poll);
  await expect(page.getByText(/The check needs JavaScript/)).toBeVisible();
  await expect(page.getByLabel('Email address')).toBeVisible();
  await page.getByRole('button', { name: 'Send my vote for review' }).click();
  await expect(page).toHaveURL(`/poll/${poll.id}/voted?held`);
  await expect(page.getByText(/^Your vote is recorded and held\./)).toBeVisible();
  expect(await pollNow(page, poll.id)).toMatchObject({ totalVotes, heldVotes: 1 });

  const confirmed = await openPage(browser, false);
  await choose(confirmed, poll);
  await confirmed.getByLabel('Email address').fill('carla@example.org');
  await confirmed.getByRole('button', { name: 'Send the code' }).click();
  await confirmed.getByLabel('Code').fill(codeIn(await mailTo('carla@example.org', 1)));
  await confirmed.getByRole('button', { name: 'Vote', exact: true }).click();
  await expect(confirmed).toHaveURL(`/poll/${poll.id}/voted`);
  expect(await pollNow(page, poll.id)).toMatchObject({ totalVotes: totalVotes + 1, heldVotes: 1 });
});

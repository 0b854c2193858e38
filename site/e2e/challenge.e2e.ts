import type { APIRequestContext, Page } from 'playwright/test';
import type { Poll } from '#api/polls/polls.contract.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { expect, test } from './fixtures.ts';
import { operatorHeaders } from './operator.ts';
import { openPolls, pollNow } from './page-helpers.ts';

const path = { poll: 'polls', community: 'community-polls' } as const;

/** Switches challenges for votes on a poll, as the operator. */
async function switchChallenge(request: APIRequestContext, id: string, challenge: 'on' | 'auto'): Promise<void> {
  const answer = await request.post(`/api/admin/flags/${id}/challenge`, {
    headers: operatorHeaders,
    data: { challenge, note: 'A test of the check.' },
  });
  expect(answer.status()).toBe(204);
}

/** Waits until the API has noticed the switch: votes of other devices are refused. */
async function challenged(origin: string, kind: keyof typeof path, id: string, optionId: string) {
  await expect(async () => {
    const device = `device_${crypto.randomUUID().replaceAll('-', '')}`;
    const data = { optionId, ...(kind === 'community' && { voterFingerprint: device }) };
    // Without cookies: whoever has voted is told so, and not to solve a challenge.
    const headers = { 'content-type': 'application/json', [deviceIdHeader]: device };
    const address = `${origin}/api/${path[kind]}/${id}/vote`;
    const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(data) });
    expect(answer.status).toBe(428);
  }).toPass();
}

/** Votes for an option in the page, and returns the statuses of the requests and the number of workers that were started. */
async function vote(page: Page, option: string, id: string) {
  const statuses: number[] = [];
  let workers = 0;
  page.on('worker', () => (workers += 1));
  page.on('response', (response) => {
    if (response.url().endsWith(`/${id}/vote`)) statuses.push(response.status());
  });
  const card = page.getByRole('main');
  await card.getByRole('radio', { name: option }).check();
  await card.getByRole('button', { name: /vote/i }).first().click();
  await expect(card.getByRole('radio')).toHaveCount(0);
  return { statuses, workers };
}

test('a browser solves the challenge of a weekly poll in a worker; without JavaScript, the page says what to do', async ({
  page,
  browser,
  baseURL,
  faults,
}) => {
  const { request } = page;
  const [poll] = await openPolls(request);
  const { id, options } = poll!;
  await switchChallenge(request, id, 'on');
  try {
    await challenged(baseURL!, 'poll', id, options[0]!.id);
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const form = await plain.newPage();
    await form.goto(`/poll/${id}`);
    await form.getByRole('radio').first().check();
    await form.getByRole('button', { name: /^vote/i }).click();
    await expect(form.getByRole('heading', { name: 'Your vote was not recorded' })).toBeVisible();
    await expect(form.getByText(/The check needs JavaScript/)).toBeVisible();
    await form.getByRole('link', { name: 'Back to the poll' }).click();
    await expect(form.getByRole('radio').first()).toBeVisible();
    await plain.close();
    await page.goto(`/poll/${id}`);
    const before = await pollNow(request, id);
    expect(await vote(page, options[0]!.text, id)).toEqual({ statuses: [428, 200], workers: 1 });
    const after = await pollNow(request, id);
    expect(after.totalVotes).toBe(before.totalVotes + 1);
    // The browser logs the refusal of the first request as an error.
    expect(faults.splice(0).filter((fault) => !fault.includes('status of 428'))).toEqual([]);
  } finally {
    await switchChallenge(request, id, 'auto');
  }
});

test('a browser solves the challenge of a community poll in a worker, and the vote is recorded', async ({
  browser,
  baseURL,
  page,
  faults,
}) => {
  const creator = await newPerson(browser, 'Anna', { baseURL });
  const poll = await createPoll(creator);
  await switchChallenge(page.request, poll.id, 'on');
  await challenged(baseURL!, 'community', poll.id, 'option-1');
  const { totalVotes } = (await (await page.request.get(`/api/community-polls/${poll.id}`)).json()) as Poll;
  await page.goto(urlOf(poll));
  expect(await vote(page, 'Coffee', poll.id)).toEqual({ statuses: [428, 200], workers: 1 });
  const after = (await (await page.request.get(`/api/community-polls/${poll.id}`)).json()) as Poll;
  expect(after.totalVotes).toBe(totalVotes + 1);
  expect(faults.splice(0).filter((fault) => !fault.includes('status of 428'))).toEqual([]);
});

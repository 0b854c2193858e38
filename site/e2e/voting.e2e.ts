import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import type { Poll } from '#api/polls/polls.contract.ts';
import { accessibilityFindings, expect, slow, test } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { openPolls } from './page-helpers.ts';

const deviceKey = async (page: Page) =>
  page.evaluate(() =>
    Object.values<string>(localStorage as unknown as Record<string, string>).find((value) =>
      value.startsWith('device_'),
    ),
  );

/** The card of one poll on the home page. */
const cardOf = (page: Page, poll: Poll) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: poll.question, exact: true }) });

async function vote(page: Page, poll: Poll, optionText: string | RegExp): Promise<void> {
  const card = cardOf(page, poll);
  await card.getByRole('radio', { name: optionText }).first().check();
  await card.getByRole('button', { name: /^vote/i }).click();
  await expect(card.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
}

test('[S1.1 S2.22 S2.59 S6.1] a visitor without an account votes with one request and sees the results', async ({
  page,
}) => {
  await page.goto('/');
  const polls = await openPolls(page);
  for (const open of polls) {
    await expect(cardOf(page, open).getByRole('radio')).toHaveCount(Math.min(3, open.options.length));
    await expect(cardOf(page, open).getByRole('button', { name: /^vote/i })).toBeVisible();
  }
  const [poll] = polls;
  const card = cardOf(page, poll!);
  await expect(card.getByRole('button', { name: /^vote/i })).toBeDisabled();
  await page.waitForLoadState('networkidle');
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  await vote(page, poll!, poll!.options[1]!.text);
  await expect(card.getByText('Your vote', { exact: true }).first()).toBeVisible();
  await expect(card.getByRole('radio')).toHaveCount(0);
  await expect(page.getByText('Thank you for participating in this poll!', { exact: true })).toBeVisible();
  expect(calls).toEqual([`POST /api/polls/${poll!.id}/vote`]);
  const after = (await openPolls(page)).find(({ id }) => id === poll!.id)!;
  expect(after.totalVotes).toBe(poll!.totalVotes + 1);
  expect(after.options[1]!.votes).toBe(poll!.options[1]!.votes + 1);
  for (const { text, votes } of after.options.slice(0, 3)) {
    const row = card.getByRole('listitem').filter({ hasText: text });
    await expect(row).toContainText(`${Math.round((votes * 100) / after.totalVotes)}%`);
    await expect(row).toContainText(`${votes.toLocaleString('en-US')} vote`);
  }
});

test(
  '[D3.2] ten visitors are counted once each, in the poll, its option, and the participants',
  slow,
  async ({ browser }) => {
    const outside = await browser.newContext();
    const api = outside.request;
    const read = async () => {
      const polls = await openPolls(api);
      const figures = (await (await api.get('/api/statistics')).json()) as {
        totalVotes: number;
        totalParticipants: number;
      };
      // Other tests of this worker may have imported polls, and votes change the order.
      const sorted = polls.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { poll: sorted.findLast(({ id, options }) => id.startsWith('demo-') && options.length > 2)!, figures };
    };
    const before = await read();
    for (let visitor = 0; visitor < 10; visitor++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto('/');
      await vote(page, before.poll, before.poll.options[visitor % 3]!.text);
      await context.close();
    }
    const after = await read();
    await outside.close();
    expect(after.poll.totalVotes - before.poll.totalVotes).toBe(10);
    expect(after.poll.options.slice(0, 3).map(({ votes }, index) => votes - before.poll.options[index]!.votes)).toEqual(
      [4, 3, 3],
    );
    // Votes on demonstration polls count toward no total.
    expect(after.figures.totalVotes - before.figures.totalVotes).toBe(0);
    expect(after.figures.totalParticipants - before.figures.totalParticipants).toBe(10);
  },
);

test('[S1.8 S3.3 D2.6] a vote is remembered after a reload, in another tab, and after the local storage is cleared', async ({
  page,
  context,
  browser,
}) => {
  await page.goto('/');
  const poll = (await openPolls(page))[1]!;
  await vote(page, poll, poll.options[0]!.text);

  await page.reload();
  await expect(cardOf(page, poll).getByText('Vote Recorded', { exact: true }).first()).toBeVisible();

  const other = await context.newPage();
  await other.goto(`/poll/${poll.id}`);
  await expect(other.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  await other.close();

  expect(await deviceKey(page)).toBeDefined();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(cardOf(page, poll).getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  await expect(cardOf(page, poll).getByText('Your vote', { exact: true }).first()).toBeVisible();

  // Another visitor has not voted.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(`/poll/${poll.id}`);
  await expect(stranger.getByRole('button', { name: /^vote/i })).toBeVisible();
  await expect(stranger.getByText('Vote Recorded', { exact: true })).toHaveCount(0);
});

test('voting works with the keyboard alone', async ({ page }) => {
  await page.goto('/');
  const poll = (await openPolls(page))[3]!;
  const card = cardOf(page, poll);
  await card.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(card.getByRole('radio').nth(1)).toBeChecked();
  await expect(card.getByRole('button', { name: /^vote/i })).toBeEnabled();
  await page.keyboard.press('Tab');
  await expect(card.getByRole('button', { name: /^vote/i })).toBeFocused();
  // From the choice, with the button below the window.
  await page.keyboard.press('Shift+Tab');
  await card
    .getByRole('radio')
    .nth(1)
    .evaluate((choice) => choice.scrollIntoView({ block: 'end', behavior: 'instant' }));
  await page.keyboard.press('Enter');
  const outcome = card.getByText('Vote Recorded', { exact: true }).first();
  await expect(outcome).toBeFocused();
  await expect(outcome).toBeInViewport({ ratio: 1 });
});

test('[S2.37] the poll page copies its public URL', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  const poll = (await openPolls(page))[4]!;
  await page.goto(`/poll/${poll.id}`);
  await expect(page.getByRole('link', { name: 'Back to Polls' })).toBeVisible();
  await page.getByRole('button', { name: /Copy Link/ }).click();
  await expect(page.getByText('Link Copied!').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(`/poll/${poll.id}`, page.url()).href);
});

test('without JavaScript a vote is a form: its results, its receipt, and one vote per browser', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  const before = (await openPolls(page))[5]!;
  const card = cardOf(page, before);
  for (const row of await card.locator('ol > li').all()) await expect(row).toBeHidden();
  const option = before.options[1]!;
  await card.getByRole('radio', { name: option.text }).check();
  await card.getByRole('button', { name: /^vote/i }).click();
  await expect(page).toHaveURL(`/poll/${before.id}/voted`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Your vote' })).toContainText(option.text);
  await expect(page.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  const receipt = (await page.getByText(/^([0-9A-Z]{4}-){6}[0-9A-Z]{4}$/i).textContent())!;
  const promised = JSON.parse(await page.getByLabel('The signed promise for your vote').inputValue()) as unknown;
  expect(promised).toMatchObject([{ poll: before.id, receipt, optionId: option.id, promise: { result: 1 } }]);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the promise as a file' }).click();
  expect(JSON.parse(await readFile(await (await saving).path(), 'utf8'))).toEqual(promised);
  const votesOf = async () => (await openPolls(page)).find(({ id }) => id === before.id)!.totalVotes;
  expect(await votesOf()).toBe(before.totalVotes + 1);

  await page.goto(`/poll/${before.id}`);
  await page.getByRole('radio', { name: before.options[0]!.text }).check();
  await page.getByRole('button', { name: /^vote/i }).click();
  await expect(page).toHaveURL(`/poll/${before.id}/voted?again`);
  await expect(page.getByText(`Your first vote, “${option.text}”, counts; this one doesn’t.`)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Your vote' })).toContainText(option.text);
  await expect(page.getByText(receipt, { exact: true })).toBeVisible();
  expect(await votesOf()).toBe(before.totalVotes + 1);

  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const other = await stranger.newPage();
  await other.goto(`/poll/${before.id}/voted`);
  await expect(other).toHaveURL(`/poll/${before.id}`);
  const foreign = await stranger.request.post(`/poll/${before.id}/vote`, {
    headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    form: { optionId: option.id },
  });
  expect(foreign.status()).toBe(403);
  expect(await foreign.text()).toContain('came from another site');
  await stranger.close();
});

test('results can be seen without voting, and a later vote counts apart, with and without JavaScript', async ({
  browser,
}) => {
  const ids: string[] = [];
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await page.goto('/');
    const before = (await openPolls(page)).filter(({ id }) => !ids.includes(id)).at(-1)!;
    ids.push(before.id);
    const apart = async () => {
      const poll = (await (await page.request.get(`/api/polls/${before.id}`)).json()) as Poll;
      return [
        poll.totalVotes - before.totalVotes,
        (poll.votesApart?.afterResults ?? 0) - (before.votesApart?.afterResults ?? 0),
      ];
    };
    await page.goto(`/poll/${before.id}`);
    const link = page.getByRole('link', { name: 'Show results without voting' });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/poll/${before.id}/results`);
    await expect(page.getByRole('heading', { level: 1, name: before.question })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: before.options[0]!.text })).toContainText('%');
    await expect(page.getByText('cast after seeing results')).toBeVisible();
    expect(await apart()).toEqual([0, 0]);

    await page.getByRole('link', { name: 'Vote on this poll' }).click();
    await expect(page).toHaveURL(`/poll/${before.id}`);
    await page.getByRole('radio', { name: before.options[0]!.text }).check();
    await page.getByRole('button', { name: /^vote/i }).click();
    await expect(page.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
    await expect(link).toBeHidden();
    expect(await apart()).toEqual([1, 1]);
    // Those who have voted see the results on the poll’s page.
    await page.goto(`/poll/${before.id}/results`);
    await expect(page).toHaveURL(`/poll/${before.id}`);
    await context.close();
  }
});

/** Whether a part of one element is over a part of another that the top bar leaves visible. */
async function covers(upper: Locator, lower: Locator): Promise<boolean> {
  const boxOf = (element: Locator) => element.evaluate((shown) => shown.getBoundingClientRect().toJSON() as DOMRect);
  const [one, other, bar] = [await boxOf(upper), await boxOf(lower), await boxOf(upper.page().getByRole('banner'))];
  const top = Math.max(other.top, bar.bottom);
  return one.right > other.left && one.left < other.right && one.bottom > top && one.top < other.bottom;
}

test('after a vote the next ballot is one press away, and the notification covers neither it nor the result', async ({
  browser,
}) => {
  const sizes = [
    [320, 568],
    [390, 844],
    [768, 1024],
    [1024, 700],
    [1440, 900],
  ] as const;
  for (const [place, [width, height]] of sizes.entries()) {
    const context = await browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const [first, second, ...others] = await openPolls(page);
    for (const [path, poll] of [
      ['/', first!],
      ['/', others[place]!],
      [`/poll/${second!.id}`, second!],
    ] as const) {
      await page.goto(path);
      await vote(page, poll, poll.options[0]!.text);
      const card = cardOf(page, poll);
      const address = (await card.getByRole('link', { name: 'Next Poll' }).getAttribute('href'))!;
      const kept = [card.locator('[data-ballot]'), ...(path === '/' ? [page.locator(address)] : [])];
      const toast = page.getByRole('listitem').filter({ hasText: 'Thank you for participating in this poll!' });
      const covered = () => Promise.all(kept.map((one) => covers(toast, one)));
      await expect.poll(covered, { message: `${path} at ${width} pixels` }).not.toContain(true);
      await expect(toast).toBeInViewport({ ratio: 1 });
    }
    await context.close();
  }
});

test('a returning visitor’s first open question is on the first screen, answered ones are folded below, and nothing moves', async ({
  page,
}) => {
  const polls = await openPolls(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const cards = page.locator('[data-slot] > article');
  const first = (await cards.first().getByRole('heading').textContent())!;
  await vote(
    page,
    polls.find(({ question }) => question === first)!,
    /./,
  );
  await page.addInitScript(() => {
    Object.assign(globalThis, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(globalThis, {
          shift:
            (globalThis as unknown as { shift: number }).shift + (entry as PerformanceEntry & { value: number }).value,
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/', { waitUntil: 'networkidle' });
    await expect(cards.first().getByRole('button', { name: /^vote/i })).toBeInViewport({ ratio: 1 });
    await expect(cards.last().getByRole('heading')).toHaveText(first);
    await expect(page.getByText(`1 of ${polls.length} answered`, { exact: true })).toBeInViewport();
    const [folded, open] = [await cards.last().boundingBox(), await cards.nth(-2).boundingBox()];
    expect(folded!.height).toBeLessThan(0.75 * open!.height);
    expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(0.01);
  }
  expect(await accessibilityFindings(page)).toEqual([]);
  // React keeps the order.
  await expect(page.locator('astro-island[ssr]').filter({ has: cards })).toHaveCount(0);
  await expect(cards.last().getByRole('heading')).toHaveText(first);
  await expect(page.getByRole('complementary', { name: 'The Latest Result' }).getByRole('link')).toBeVisible();
});

test('the link after a vote leads to the first choice of the next ballot', async ({ page }) => {
  await page.goto('/');
  const [poll] = await openPolls(page);
  await vote(page, poll!, poll!.options[0]!.text);
  const next = cardOf(page, poll!).getByRole('link', { name: 'Next Poll' });
  const nextCard = page.locator((await next.getAttribute('href'))!);
  await next.click();
  await expect(nextCard.getByRole('radio').first()).toBeFocused();
});

test(
  'a visitor who switched it on guesses the last result before it appears and gets all answers as a picture, with the keyboard alone',
  slow,
  async ({ page }) => {
    await page.goto('/');
    const [first, second, ...others] = await openPolls(page);
    await vote(page, first!, first!.options[0]!.text);
    await cardOf(page, first!).getByRole('checkbox', { name: 'Guess results before seeing them' }).check();
    const headers = { 'x-device-id': (await deviceKey(page))! };
    for (const { id, options } of others) {
      const answer = await page.request.post(`/api/polls/${id}/vote`, { headers, data: { optionId: options[0]!.id } });
      expect(answer.status()).toBe(200);
    }
    await page.reload();
    const card = cardOf(page, second!);
    await card.getByRole('radio', { name: second!.options[1]!.text }).check();
    await page.waitForLoadState('networkidle');
    await card.getByRole('button', { name: /^vote/i }).press('Enter');
    await expect(card.getByText('What does the majority say?')).toBeFocused();
    expect(await accessibilityFindings(page)).toEqual([]);
    const keys = keyboardOf(page);
    await keys.tabTo(card.getByRole('slider', { name: second!.options[0]!.text }));
    await keys.press('ArrowRight');
    await expect(card.getByText(/^[\d,]+ votes$/)).toHaveCount(1);
    await keys.tabTo(card.getByRole('button', { name: 'Show the Results' }));
    await keys.press('Enter');
    await expect(card.getByText('Your vote', { exact: true }).first()).toBeVisible();
    await expect(card.getByText(/^You guessed/)).toBeVisible();
    await expect(card.getByText(/first to guess|other guess/)).toBeVisible();

    await keys.tabTo(card.getByRole('link', { name: 'See Your Answers' }));
    await keys.press('Enter');
    await expect(page.getByRole('heading', { name: `You answered all ${others.length + 2} polls` })).toBeInViewport();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keys.tabTo(page.getByRole('button', { name: 'Download Picture' }));
    const saved = page.waitForEvent('download');
    await keys.press('Enter');
    expect((await saved).suggestedFilename()).toBe('my-answers.png');
    await page.reload();
    await expect(page.getByRole('heading', { name: `You answered all ${others.length + 2} polls` })).toBeVisible();
  },
);

test('guesses are kept in the browser: beside the latest result, with the crowd on the page of receipts, until they are forgotten', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/');
  const latest = page.getByRole('complementary', { name: 'The Latest Result' });
  const path = (await latest.getByRole('link').getAttribute('href'))!;
  const guess = { poll: path.split('/').pop(), question: 'What grade?', path, option: 'None', percent: 44, share: 50 };
  await page.evaluate(
    (made) => localStorage.setItem('weathervane-guesses', JSON.stringify({ on: true, guesses: 3, points: 17, made })),
    [guess, null, { question: 7 }],
  );
  await page.reload();
  await expect(latest.getByText('You guessed 44% for “None”.')).toBeVisible();

  await page.goto('/my-votes');
  const guesses = page.getByRole('region', { name: 'My Guesses' });
  await expect(guesses.getByText('You read the crowd within 6 points on average, in 3 guesses.')).toBeVisible();
  await expect(guesses.getByRole('listitem')).toHaveText([/You guessed 44% for “None”, which had 50%\./]);
  await expect(guesses.getByRole('link', { name: 'What grade?' })).toHaveAttribute('href', path);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await accessibilityFindings(page, theme)).toEqual([]);
  }
  page.on('dialog', (dialog) => void dialog.accept());
  await guesses.getByRole('button', { name: 'Forget guesses on this device' }).click();
  await expect(guesses).toBeHidden();
  await page.goto('/');
  await expect(latest.getByRole('link')).toBeVisible();
  await expect(latest.getByText(/You guessed/)).toBeHidden();
});

const isReact = (url: string) => url.includes('/_astro/react.');

test('a poll that this visitor has voted on shows its results without a touch', async ({ page }) => {
  await page.goto('/');
  // The first voter gets a message instead of results.
  const poll = (await openPolls(page)).findLast(({ totalVotes }) => totalVotes > 0)!;
  await vote(page, poll, poll.options[0]!.text);
  for (const path of ['/', `/poll/${poll.id}`]) {
    await page.goto(path);
    const card = cardOf(page, poll);
    await expect(card.getByText('Vote Recorded', { exact: true })).toBeVisible();
    await expect(card.getByRole('listitem').filter({ hasText: 'Your vote' })).toContainText(poll.options[0]!.text);
    await expect(card.getByRole('link', { name: /^Receipt [0-9A-Z]{4}-[0-9A-Z]{4}$/ })).toBeVisible();
    await expect(card.getByRole('radio')).toHaveCount(0);
  }
});

test('a vote cast while React is still loading is recorded once, without a page load', async ({ page }) => {
  const { promise: loaded, resolve: load } = Promise.withResolvers<undefined>();
  await page.route(
    (url) => isReact(url.href),
    async (route) => {
      await loaded;
      await route.continue();
    },
  );
  await page.goto('/');
  const poll = (await openPolls(page))[7]!;
  const votes: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && votes.push(new URL(request.url()).pathname));
  const card = cardOf(page, poll);
  await card.getByRole('radio', { name: poll.options[1]!.text }).check();
  await card.getByRole('button', { name: /^vote/i }).click();
  load(undefined);
  await expect(card.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  await expect(card.getByRole('listitem').filter({ hasText: 'Your vote' })).toContainText(poll.options[1]!.text);
  expect(votes).toEqual([`/api/polls/${poll.id}/vote`]);
  await expect(page).toHaveURL('/');
});

test('React takes over a ballot with its choice and its focus', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const [poll] = await openPolls(page);
  const choice = cardOf(page, poll!).getByRole('radio').nth(1);
  const published = await choice.elementHandle();
  await choice.evaluate((input: HTMLInputElement) => {
    input.focus();
    input.click();
  });
  await page.waitForFunction((input) => !input?.isConnected, published);
  await expect(choice).toBeFocused();
  await expect(choice).toBeChecked();
  await expect(cardOf(page, poll!).getByRole('button', { name: /^vote/i })).toBeEnabled();
});

import type { Page } from 'playwright/test';
import type { CommunityPoll, NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { createPoll, newPerson, urlOf, vote } from './community-people.ts';
import { accessibilityFindings, expect, test } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { enterPassword, openPolls, read } from './page-helpers.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { screenTexts } from '#texts/screen.ts';

const windows = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
] as const;

const fixed = { optionOrder: 'fixed' } as const satisfies Partial<NewCommunityPoll>;
const longest = {
  ...fixed,
  method: 'ranked',
  question: `Which ${'of these many proposals '.repeat(7)}should come first?`,
  options: Array.from({ length: limits.communityOptionsMax }, (_, place) => ({
    id: `option-${place + 1}`,
    text: `Proposal ${place + 1} of the neighborhood, with a few words about what it is`,
  })),
} satisfies Partial<NewCommunityPoll>;

const screenOf = (poll: CommunityPoll) => `${urlOf(poll)}/screen`;
const total = (page: Page) => page.locator('strong');
const results = (page: Page) => page.getByRole('list', { name: 'Results' });

/** The address in the QR code. */
const scannedFrom = async (page: Page) =>
  (await page.getByRole('img', { name: 'QR code' }).getAttribute('data-address'))!;

test('a creator shows a poll; people in the room scan the code and vote, and results show once they are asked for', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna', { viewport: windows[0] });
  const poll = await createPoll(anna, fixed);
  const { page } = anna;
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(urlOf(poll));
  await page.getByRole('link', { name: 'Show on a Screen' }).click();
  await expect(page).toHaveURL(screenOf(poll));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(poll.question);
  await expect(page.getByRole('listitem')).toHaveText(['Tea', 'Coffee', 'Water']);
  await expect(total(page)).toHaveText('0');
  await expect(results(page)).toHaveCount(0);

  const phone = await newPerson(browser, null, { viewport: { width: 390, height: 844 } });
  const address = await scannedFrom(page);
  expect(address).toMatch(new RegExp(`${urlOf(poll)}#room=\\w+\\.[\\w-]{16}$`));
  await phone.page.goto(address);
  // Before the ballot is touched, so that nobody passes the code on with the address.
  await expect(phone.page).toHaveURL(urlOf(poll));
  await vote(phone.page, 'Tea');
  // It asks every second.
  expect(limits.screenRefetchMs).toBeLessThanOrEqual(1_000);
  await expect(total(page)).toHaveText('1');
  await expect(page.getByText('100%')).toHaveCount(0);

  await keyboardOf(page).use(page.getByRole('button', { name: 'Show results' }));
  await expect(results(page).getByRole('listitem')).toHaveText([/Tea.*100%.*1 vote/, /Coffee.*0%/, /Water.*0%/]);
  const second = await newPerson(browser, null);
  await second.page.goto(await scannedFrom(page));
  await vote(second.page, 'Coffee');
  await expect(results(page).getByRole('listitem')).toHaveText([/Tea.*50%/, /Coffee.*50%/, /Water.*0%/]);
  await page.keyboard.press('Enter');
  await expect(results(page)).toHaveCount(0);
  expect(await read<CommunityPoll>(page, `/api${urlOf(poll)}`)).toMatchObject({ votesApart: { onScreen: 2 } });
  expect([...asked]).toEqual([new URL(page.url()).origin]);

  await page.request.post(`/api${urlOf(poll)}/close`);
  await expect(page.getByText('Voting has ended.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code' })).toHaveCount(0);
  expect([...anna.faults, ...phone.faults, ...second.faults]).toEqual([]);
});

test('the longest poll fits a screen of 16:9 without scrolling, with a question that is readable from 8 m', async ({
  browser,
}) => {
  test.setTimeout(60_000);
  const anna = await newPerson(browser, 'Anna');
  const { page } = anna;
  const polls = [await createPoll(anna, fixed), await createPoll(anna, longest)];
  for (const [place, poll] of polls.entries())
    for (const viewport of windows) {
      await page.setViewportSize(viewport);
      await page.goto(screenOf(poll));
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText(poll.question);
      for (const shown of ['answers', 'results']) {
        if (shown === 'results') await page.getByRole('button', { name: 'Show results' }).click();
        // What a vote is asked to do, and then what percentages are of.
        const said =
          shown === 'answers' ? rankedTexts.rule({ min: 1, max: longest.options.length }) : screenTexts.firstChoices;
        await expect(page.getByText(said)).toHaveCount(place);
        const fits = await page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return [scrollWidth <= innerWidth, scrollHeight <= innerHeight];
        });
        expect([poll.question, viewport.width, shown, ...fits]).toEqual([
          poll.question,
          viewport.width,
          shown,
          true,
          true,
        ]);
        // Capitals have two thirds of it: 1/200 of 8 m, and for a short one more than 1/150, where the screen is 2 m wide.
        const size = await heading.evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
        expect(size).toBeGreaterThanOrEqual((place === 0 ? 0.045 : 0.03) * viewport.width - 0.1);
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme });
          expect(await accessibilityFindings(page, theme)).toEqual([]);
        }
      }
    }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(anna.faults).toEqual([]);
});

test('an operator shows a weekly poll; others are told the same, whether there is such a poll or not', async ({
  page,
  browser,
  baseURL,
  faults,
}) => {
  const [weekly] = await openPolls(baseURL!);
  const anna = await newPerson(browser, 'Anna');
  const secret = await createPoll(anna, { ...fixed, visibility: 'private' });
  const ben = await newPerson(browser, 'Ben');
  const missing = '/community-polls/there-is-no-such-poll/screen';
  for (const path of [screenOf(secret), missing]) {
    await ben.page.goto(path);
    await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('Poll Not Found');
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in first');
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
      'href',
      `/api/login?next=${encodeURIComponent(path)}`,
    );
  }
  await page.goto(`/poll/${weekly!.id}/screen`);
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/admin/polls');
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(faults.splice(0).every((fault) => fault.includes('401'))).toBe(true);
  await enterPassword(page);
  await page.goto('/admin/polls?state=open');
  await page.getByRole('link', { name: `Show on a screen: ${weekly!.question}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(weekly!.question);
  expect(await scannedFrom(page)).toContain(`/poll/${weekly!.id}#room=`);
});

test('without JavaScript, the page says what it needs', async ({ browser, baseURL }) => {
  const { page } = await newPerson(browser, null, { javaScriptEnabled: false });
  await page.goto(`/poll/${(await openPolls(baseURL!))[0]!.id}/screen`);
  await expect(page.getByText('needs JavaScript')).toBeVisible();
});

import type { Page } from 'playwright/test';
import { choicesText, choiceTexts } from '#texts/choices.ts';
import { rankedTexts as texts } from '#texts/ranked.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { enlargeText } from './text-fit.ts';

const options = ['Tea', 'Coffee', 'Water', 'Juice'].map((text, index) => ({ id: `option-${index + 1}`, text }));
const ranked = { options, method: 'ranked', maxChoices: 3, optionOrder: 'fixed' } as const;
const choices = { min: 1, max: 3 };

const rankOf = (page: Page, name: string) => page.getByLabel(texts.rankOf(name));
const up = (page: Page, name: string) => page.getByRole('button', { name: texts.up(name) });
const down = (page: Page, name: string) => page.getByRole('button', { name: texts.down(name) });
const button = (page: Page) => page.getByRole('button', { name: 'Cast Vote' });
/** The ranks of the four options, – for none. */
const ranks = (page: Page) =>
  Promise.all(options.map(async ({ text }) => (await rankOf(page, text).inputValue()) || texts.unrankedValue));
const rowOf = (page: Page, name: string) => rankOf(page, name).locator('xpath=ancestor::div[1]');
/** Casts this many votes with these rankings. */
async function castAll(page: Page, url: string, rankings: Readonly<Record<string, number>>) {
  for (const [ranking, votes] of Object.entries(rankings))
    for (let vote = 0; vote < votes; vote++) {
      const optionIds = ranking.split(',').map((place) => `option-${place}`);
      const voterFingerprint = `device_${crypto.randomUUID().replaceAll('-', '')}`;
      const answer = await fetch(new URL(`/api${url}/vote`, page.url()), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ optionIds, voterFingerprint }),
      });
      expect(answer.status).toBe(200);
    }
}

test('a member creates a ranked poll, and votes on it', async ({ browser }) => {
  const { page, faults } = await newPerson(browser, 'Anna');
  await page.goto('/community-polls/new');
  await page.getByLabel('Question', { exact: true }).fill('What do you drink?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tea');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Coffee');
  await page.getByLabel(choiceTexts.method).selectOption(choiceTexts.methods.ranked);
  await expect(page.getByText(choiceTexts.means.ranked)).toBeVisible();
  await page.getByRole('button', { name: 'Create Poll' }).click();
  await expect(page).toHaveURL(/community-polls\/[a-z0-9]{25}$/);
  await rankOf(page, 'Coffee').selectOption('1');
  await button(page).click();
  await expect(page.getByText('You chose 1. Coffee.')).toBeVisible();
  expect(faults).toEqual([]);
});

for (const colorScheme of themes)
  test(`options are ranked with the mouse, ${colorScheme}, and the rounds follow the end`, async ({ browser }) => {
    const anna = await newPerson(browser, 'Anna');
    const { page, faults } = await newPerson(browser, null, { colorScheme, viewport: { width: 1280, height: 1300 } });
    const poll = await createPoll(anna, ranked);
    await page.goto(urlOf(poll));
    await castAll(page, urlOf(poll), { '1': 3, '2,3': 2, '4,2': 1 });
    await expect(page.getByText(texts.rule(choices))).toBeVisible();
    await expect(button(page)).toBeDisabled();

    const drag = async (name: string, over: string, below = 0) => {
      const [from, to] = [await rowOf(page, name).boundingBox(), await rowOf(page, over).boundingBox()];
      await page.mouse.move(from!.x + 12, from!.y + from!.height / 2);
      await page.mouse.down();
      await page.mouse.move(to!.x + 12, to!.y + to!.height / 2 + below, { steps: 12 });
      await page.mouse.up();
    };
    // Without having been touched: a first drag would otherwise be lost.
    await expect(page.locator('astro-island[ssr] fieldset')).toHaveCount(0);
    await expect(page.getByText(texts.line.none)).toBeVisible();
    // Above the line, which is above the first option.
    await drag('Water', 'Tea', -50);
    await expect.poll(() => ranks(page)).toEqual(['–', '–', '1', '–']);
    await drag('Juice', 'Water', -10);
    await expect.poll(() => ranks(page)).toEqual(['–', '–', '2', '1']);
    await drag('Juice', 'Water', 10);
    await expect.poll(() => ranks(page)).toEqual(['–', '–', '1', '2']);
    await drag('Juice', 'Tea', 20);
    await expect.poll(() => ranks(page)).toEqual(['–', '–', '1', '–']);
    await expect(page.getByText(texts.unranked('Juice'))).toBeAttached();
    await drag('Coffee', 'Water', 10);
    await expect.poll(() => ranks(page)).toEqual(['–', '2', '1', '–']);
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    await button(page).click();
    await expect(page.getByText('You chose 1. Water, 2. Coffee.')).toBeVisible();
    await expect(page.getByText(texts.atEnd)).toBeVisible();
    await expect(page.getByText('(Your Vote)')).toHaveCount(1);
    await expect(page.getByRole('table', { name: texts.rounds })).toHaveCount(0);
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect((await anna.page.request.post(`/api${urlOf(poll)}/close`)).status()).toBe(200);
    await page.reload();
    await expect(page.getByText(texts.wins('Coffee', 3, '57%', '7'))).toBeVisible();
    const cells = page.getByRole('row', { name: 'Coffee' }).getByRole('cell');
    await expect(cells).toHaveText([/^2 29%/, /^3 43%/, /^4 57%/]);
    await expect(page.getByRole('row', { name: 'Juice' }).getByRole('cell')).toHaveText([
      /eliminated by/,
      'out',
      'out',
    ]);
    await expect(page.getByRole('row', { name: texts.exhausted }).getByRole('cell')).toHaveText(['0', '0', '0']);
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    expect([anna.faults, faults]).toEqual([[], []]);
  });

test('on a phone, options are ranked with the keyboard, each move is announced, and the focus stays', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna', { viewport: { width: 390, height: 844 } });
  const { page } = anna;
  const poll = await createPoll(anna, ranked);
  await page.goto(urlOf(poll));
  await up(page, 'Juice').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => ranks(page)).toEqual(['–', '–', '–', '1']);
  await expect(page.getByRole('status').filter({ hasText: texts.moved('Juice', 1, 1) })).toBeAttached();
  await expect(up(page, 'Juice')).toBeFocused();
  await up(page, 'Tea').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => ranks(page)).toEqual(['2', '–', '–', '1']);
  await page.keyboard.press('Enter');
  await expect.poll(() => ranks(page)).toEqual(['1', '–', '–', '2']);
  await expect(up(page, 'Tea')).toBeFocused();
  // At the top, it stays.
  await page.keyboard.press('Enter');
  await expect.poll(() => ranks(page)).toEqual(['1', '–', '–', '2']);
  await page.keyboard.press('Tab');
  await expect(down(page, 'Tea')).toBeFocused();
  await page.keyboard.press('Space');
  await expect.poll(() => ranks(page)).toEqual(['2', '–', '–', '1']);
  await expect(down(page, 'Tea')).toBeFocused();
  await rankOf(page, 'Coffee').selectOption('1');
  await expect.poll(() => ranks(page)).toEqual(['3', '1', '–', '2']);
  // The ranking is full, and a number takes the last one’s place.
  await expect(up(page, 'Water')).toHaveAttribute('aria-disabled', 'true');
  await rankOf(page, 'Water').selectOption('2');
  await expect.poll(() => ranks(page)).toEqual(['–', '1', '2', '3']);
  for (const control of await page.locator('fieldset').locator('select, button').all()) {
    const box = await control.boundingBox();
    expect([box!.width >= 44, box!.height >= 44]).toEqual([true, true]);
  }
  await button(page).press('Enter');
  await expect(page.getByText('You chose 1. Coffee, 2. Water, 3. Juice.')).toBeVisible();
  await page.goto('/my-votes');
  await expect(page.getByText('You voted for Coffee, Water, Juice')).toBeVisible();
  expect(anna.faults).toEqual([]);
});

test('ranks chosen before React is there stay when it takes over, whatever their order', async ({ browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const { page, faults } = await newPerson(browser, null);
  // Not idle yet.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
  const poll = await createPoll(anna, ranked);
  await page.goto(urlOf(poll));
  await page.evaluate(
    (values) => {
      const selects = document.querySelectorAll<HTMLSelectElement>('fieldset select');
      for (const [place, value] of values.entries()) selects[place]!.value = value;
      selects[0]!.dispatchEvent(new Event('change', { bubbles: true }));
    },
    ['3', '2', '1', ''],
  );
  await expect(page.locator('astro-island[ssr] fieldset')).toHaveCount(1);
  await expect(button(page)).toBeEnabled();
  await rankOf(page, 'Tea').focus();
  await expect(page.locator('astro-island[ssr] fieldset')).toHaveCount(0);
  expect(await ranks(page)).toEqual(['3', '2', '1', '–']);
  await expect(rankOf(page, 'Tea')).toBeFocused();
  await button(page).click();
  await expect(page.getByText('You chose 1. Water, 2. Coffee, 3. Tea.')).toBeVisible();
  expect(faults).toEqual([]);
});

test('without JavaScript, ranks are sent as a form, and two options with the same rank are refused', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const { page } = await newPerson(browser, null, { javaScriptEnabled: false });
  const poll = await createPoll(anna, { ...ranked, minChoices: 2 });
  await page.goto(urlOf(poll));
  const vote = async (values: Readonly<Record<string, string>>) => {
    await page.goto(urlOf(poll));
    for (const [name, value] of Object.entries(values)) await rankOf(page, name).selectOption(value);
    await button(page).click();
  };
  await expect(up(page, 'Tea')).toBeHidden();
  await castAll(page, urlOf(poll), { '1,2': 2 });
  await vote({ Tea: '1', Water: '1' });
  await expect(page.getByText(texts.sameRank)).toBeVisible();
  await vote({ Juice: '1' });
  await expect(page.getByText(choicesText({ min: 2, max: 3 }))).toBeVisible();
  await vote({});
  await expect(page.getByText('You didn’t choose an answer.')).toBeVisible();
  await vote({ Tea: '3', Juice: '1' });
  await expect(page).toHaveURL(`/community-polls/${poll.id}/voted`);
  await expect(page.getByText('You chose 1. Juice, 2. Tea.')).toBeVisible();
  await expect(page.getByText(texts.atEnd)).toBeVisible();
  expect(await page.getByRole('textbox').inputValue()).toContain('"optionId":"option-4","further":["option-1"]');
  const again = await page.request.post(`${urlOf(poll)}/vote`, {
    form: { 'rank-option-2': '1', 'rank-option-3': '2' },
  });
  expect(await again.text()).toContain('“Juice, Tea”');
});

test('the page of a closed ranked poll has its rounds without JavaScript, at 320 px with large text', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const { page } = await newPerson(browser, null, { javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
  const poll = await createPoll(anna, ranked);
  await page.goto(urlOf(poll));
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await enlargeText(page);
  await page.reload();
  expect(await width()).toBeLessThanOrEqual(320);
  await castAll(page, urlOf(poll), { '1': 3, '2,3': 2, '3,2': 2 });
  expect((await anna.page.request.post(`/api${urlOf(poll)}/close`)).status()).toBe(200);
  await expect
    .poll(async () => {
      await page.goto(urlOf(poll));
      return page.getByText(texts.wins('Coffee', 3, '57%', '7')).count();
    })
    .toBe(1);
  await expect(page.getByRole('table', { name: texts.rounds })).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});

import type { Page } from 'playwright/test';
import { reviewTexts, writeInErrors, writeInSettingTexts, writtenTexts } from '#texts/write-ins.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { createPoll, newPerson, urlOf, vote } from './community-people.ts';

const writeIns = { writeIns: true, optionOrder: 'fixed', resultVisibility: 'always' } as const;
const field = (page: Page) => page.getByRole('textbox', { name: writtenTexts.text });
const cast = (page: Page) => page.getByRole('button', { name: 'Cast Vote' });

test('a member lets voters add an answer, a voter writes one, and the member adds it to the options', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const [ben, early] = [await newPerson(browser, null), await newPerson(browser, null)];
  const { page } = anna;
  await page.goto('/community-polls/new');
  await page.getByLabel('Question', { exact: true }).fill('What do you drink?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tea');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Coffee');
  await page.getByLabel(writeInSettingTexts.label).check();
  await page.getByRole('button', { name: 'Create Poll' }).click();
  await expect(page).toHaveURL(/community-polls\/[a-z0-9]{25}$/);
  const address = page.url();

  await early.page.goto(address);
  await vote(early.page, 'Coffee');
  await ben.page.goto(address);
  // The order of the options is this browser’s own, before a touch and after; the field stays below.
  const choices = () =>
    ben.page.getByRole('radio').evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
  const before = await choices();
  expect(before.at(-1)).toBe('+');
  await field(ben.page).focus();
  await expect(ben.page.locator('astro-island[ssr]:has([data-ballot])')).toHaveCount(0);
  expect(await choices()).toEqual(before);
  // What repeats an option is refused, and stays in the field.
  await field(ben.page).fill('TEA');
  await cast(ben.page).click();
  await expect(ben.page.getByText(writeInErrors.exists('Tea')).first()).toBeVisible();
  await expect(field(ben.page)).toHaveValue('TEA');
  await field(ben.page).fill('Onion soup');
  await expect(ben.page.getByRole('radio', { name: writtenTexts.other })).toBeChecked();
  await cast(ben.page).click();
  await expect(ben.page.getByText(writtenTexts.own.waiting)).toBeVisible();
  await ben.page.goto('/my-votes');
  await expect(ben.page.getByText('Onion soup')).toBeVisible();

  await page.goto('/profile/notifications');
  await page
    .getByRole('link', { name: /has a new answer to review/ })
    .first()
    .click();
  const panel = page.getByRole('region', { name: reviewTexts.heading });
  await expect(panel.getByText('1 vote waits')).toBeVisible();
  await panel.getByRole('button', { name: reviewTexts.labels.approve('Onion soup') }).click();
  await page.getByRole('button', { name: reviewTexts.confirm.approve }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByText(/A voter wrote “Onion soup”/)).toBeVisible();

  await early.page.reload();
  await expect(early.page.getByText(writtenTexts.missed(['Onion soup']))).toBeVisible();
  await ben.page.goto(address);
  await expect(ben.page.getByText('You chose Onion soup.')).toBeVisible();
  expect([anna.faults, early.faults]).toEqual([[], []]);
});

for (const colorScheme of themes)
  test(`on a phone, ${colorScheme}, an answer is written and reviewed with the keyboard`, async ({ browser }) => {
    const phone = { colorScheme, viewport: { width: 390, height: 844 } };
    const anna = await newPerson(browser, 'Anna', phone);
    const poll = await createPoll(anna, writeIns);
    const voters = [await newPerson(browser, null, phone), await newPerson(browser, null, phone)];
    for (const [place, { page }] of voters.entries()) {
      await page.goto(urlOf(poll));
      await page.getByRole('radio', { name: 'Water' }).focus();
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('radio', { name: writtenTexts.other })).toBeChecked();
      await page.keyboard.press('Tab');
      await page.keyboard.type(place === 0 ? 'Black tea' : 'Spam');
      expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(page.getByText(writtenTexts.own.waiting)).toBeVisible();
    }
    const { page } = anna;
    await page.goto(urlOf(poll));
    const panel = page.getByRole('region', { name: reviewTexts.heading });
    await panel.getByRole('button', { name: reviewTexts.labels.merge('Black tea') }).focus();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: reviewTexts.into }).selectOption('Tea');
    await page.getByRole('button', { name: reviewTexts.confirm.merge }).press('Enter');
    await expect(page.getByText(reviewTexts.done.merge, { exact: true })).toBeVisible();
    await panel.getByRole('button', { name: reviewTexts.labels.reject('Spam') }).press('Enter');
    await page.getByRole('button', { name: reviewTexts.confirm.reject }).press('Enter');
    await expect(panel).toHaveCount(0);
    for (const [place, text] of [writtenTexts.own.merged, writtenTexts.own.rejected].entries()) {
      await voters[place]!.page.reload();
      await expect(voters[place]!.page.getByText(text)).toBeVisible();
    }
    await expect(voters[0]!.page.getByText('You chose Tea.')).toBeVisible();
    expect([anna, ...voters].flatMap(({ faults }) => faults)).toEqual([]);
  });

test('without JavaScript an answer is sent with the form, and a refused one can be changed', async ({ browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const [ben, early] = [
    await newPerson(browser, null, { javaScriptEnabled: false }),
    await newPerson(browser, null, { javaScriptEnabled: false }),
  ];
  const poll = await createPoll(anna, writeIns);
  await early.page.goto(urlOf(poll));
  await early.page.getByRole('radio', { name: 'Water' }).check();
  await cast(early.page).click();
  const { page } = ben;
  await page.goto(urlOf(poll));
  await page.getByRole('radio', { name: writtenTexts.other }).check();
  await field(page).fill('coffee');
  await cast(page).click();
  await expect(page.getByText(writeInErrors.exists('Coffee'))).toBeVisible();
  await expect(field(page)).toHaveValue('coffee');
  await field(page).fill('Black coffee');
  await page.getByRole('button', { name: 'Vote' }).click();
  await expect(page).toHaveURL(`/community-polls/${poll.id}/voted`);
  await expect(page.getByText(writtenTexts.own.waiting)).toBeVisible();
  const reader = (await newPerson(browser, null)).page.request;
  const pages = ['', '/results', '/recount', '/history'].map((under) => urlOf(poll) + under);
  for (const path of [...pages, `/embed${urlOf(poll)}`, '/community-polls', '/integrity'])
    expect((await (await reader.get(path)).text()).includes('Black coffee'), path).toBe(false);

  const answers = `/api${urlOf(poll)}/write-ins`;
  await anna.page.request.post(`${answers}/write-in-1`, { data: { action: 'approve' } });
  await page.goto(`${urlOf(poll)}/voted`);
  await expect(page.getByText('You chose Black coffee.')).toBeVisible();
  await early.page.goto(`${urlOf(poll)}/voted`);
  await expect(early.page.getByText(writtenTexts.missed(['Black coffee']))).toBeVisible();
});

import { choicesText, choiceTexts, severalTexts } from '#texts/choices.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';

const choices = { min: 2, max: 3 };
const options = ['Tea', 'Coffee', 'Water', 'Juice'].map((text, index) => ({ id: `option-${index + 1}`, text }));
const several = { options, method: 'several', minChoices: 2, maxChoices: 3, optionOrder: 'fixed' } as const;

test('a member creates a poll with several answers per voter, and votes on it', async ({ browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const { page } = anna;
  await page.goto('/community-polls/new');
  await page.getByLabel('Question', { exact: true }).fill('What do you drink?');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tea');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Coffee');
  await page.getByLabel(choiceTexts.method).selectOption(choiceTexts.methods.several);
  // More than there are options.
  await page.getByLabel(choiceTexts.most).selectOption('3');
  await page.getByRole('button', { name: 'Create Poll' }).click();
  await expect(page.getByText('The poll has fewer options than that')).toBeVisible();
  await page.getByLabel(choiceTexts.most).selectOption(choiceTexts.all);
  await page.getByRole('button', { name: 'Create Poll' }).click();
  await expect(page).toHaveURL(/community-polls\/[a-z0-9]{25}$/);

  const rule = { min: 1, max: 2 };
  await expect(page.getByText(severalTexts.rule(rule))).toBeVisible();
  await page.getByRole('checkbox', { name: 'Tea' }).check();
  await page.getByRole('checkbox', { name: 'Coffee' }).check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(page.getByText('You chose Tea and Coffee.')).toBeVisible();
  await expect(page.getByText('(Your Vote)')).toHaveCount(1);
  await expect(page.getByText('1 voter', { exact: true }).first()).toBeVisible();
  await page.goto('/my-votes');
  await expect(page.getByText('You voted for Tea, Coffee')).toBeVisible();
  expect(anna.faults).toEqual([]);
});

for (const colorScheme of themes)
  test(`on a phone, ${colorScheme}, several answers are chosen with the keyboard, and shares of voters follow`, async ({
    browser,
  }) => {
    const phone = { colorScheme, viewport: { width: 390, height: 844 } };
    const anna = await newPerson(browser, 'Anna', phone);
    const ben = await newPerson(browser, null, phone);
    const poll = await createPoll(anna, several);
    const { page } = ben;
    await page.goto(urlOf(poll));
    const box = (name: string) => page.getByRole('checkbox', { name });
    const button = page.getByRole('button', { name: 'Cast Vote' });
    await box('Tea').focus();
    await page.keyboard.press('Space');
    await expect(button).toBeDisabled();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(button).toBeEnabled();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.getByText(severalTexts.chosen(3, choices))).toBeVisible();
    await expect(box('Juice')).toBeDisabled();
    // Takes one back.
    await page.keyboard.press('Space');
    await expect(box('Juice')).toBeEnabled();
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('You chose Tea and Coffee.')).toBeVisible();

    await anna.page.goto(urlOf(poll));
    for (const name of ['Coffee', 'Juice']) await anna.page.getByRole('checkbox', { name }).check();
    await anna.page.getByRole('button', { name: 'Cast Vote' }).click();
    const row = (name: string) => anna.page.getByRole('listitem').filter({ hasText: name });
    await expect(row('Coffee')).toContainText('100%');
    await expect(row('Juice')).toContainText('50%');
    await expect(anna.page.getByText(severalTexts.shares(choices))).toBeVisible();
    await expect(anna.page.getByText('2 voters', { exact: true }).first()).toBeVisible();
    expect(await accessibilityFindings(anna.page, colorScheme)).toEqual([]);
    await page.reload();
    await expect(page.getByText('(Your Vote)')).toHaveCount(2);
    expect([anna.faults, ben.faults]).toEqual([[], []]);
  });

test('without JavaScript several answers are sent as a form, and too many are refused with the numbers', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const ben = await newPerson(browser, null, { javaScriptEnabled: false });
  const poll = await createPoll(anna, several);
  const { page } = ben;
  await page.goto(urlOf(poll));
  await expect(page.getByText(severalTexts.rule(choices))).toBeVisible();
  for (const { text } of options) await page.getByRole('checkbox', { name: text }).check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(page.getByText(choicesText(choices))).toBeVisible();
  await page.goto(urlOf(poll));
  for (const name of ['Water', 'Tea']) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(page).toHaveURL(`/community-polls/${poll.id}/voted`);
  await expect(page.getByText('(Your Vote)')).toHaveCount(1);
  await expect(page.getByText('You chose Tea and Water.')).toBeVisible();
  expect(await page.getByRole('textbox').inputValue()).toContain('"further":["option-3"]');
  const again = await page.request.post(`${urlOf(poll)}/vote`, { form: { optionId: 'option-2' } });
  expect(await again.text()).toContain('“Tea, Water”');
});

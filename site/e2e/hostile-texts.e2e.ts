import { existsSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import * as limits from '#contract/limits.ts';
import { commentLength } from '#domain/comment-text.ts';
import { optionKey } from '#domain/option-key.ts';
import { canBeSeen } from '#api/testing/hostile-values.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { urlOf, createPoll, newPerson, postComment } from './community-people.ts';
import { expect, slow, test } from './fixtures.ts';
import { registerInForm } from './page-helpers.ts';

/** Strings that break other programs: some of our own, and the long list if it exists, of which a quick run takes a tenth. */
const listFile = new URL('../../../shared/data/naughty-strings.json', import.meta.url);
const ownStrings = [
  '<script>window.tripped = 1</script>',
  '"><img src=x onerror="window.tripped = 1">',
  'javascript:window.tripped=1',
  "'; drop table comments; --",
  '{{7*7}} ${7*7} <%= 7*7 %> %s %00 \\u0000 &lt;b&gt; &amp;',
  '\u202eabc\u202c \u200b between \ufeff \u2066x',
  '👩🏽‍🚀 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ 部落格 الكل في المجمو عة',
  '</textarea></title></style></script><svg onload=window.tripped=1>',
  'https://example.org/?a=<b>&c="d"#e (and more).',
];
const fits = (text: string) => text.trim() === text && canBeSeen(text) && commentLength(text) <= limits.communityOption;
const strings = [...ownStrings, ...(existsSync(listFile) ? longList() : [])].filter(fits);

function longList(): string[] {
  const list = JSON.parse(readFileSync(listFile, 'utf8')) as string[];
  return runsSlow ? list : list.filter((_, index) => index % 10 === 0);
}

/** Polls of up to ten options with every text once; options of one poll must look different. */
function pollsOfTen(texts: readonly string[]): string[][] {
  const polls: string[][] = [];
  for (const text of texts) {
    const free = polls.find((poll) => poll.length < 10 && !poll.some((other) => optionKey(other) === optionKey(text)));
    if (free) free.push(text);
    else polls.push([text]);
  }
  return polls.map((poll) => (poll.length > 1 ? poll : [...poll, 'Something else']));
}

const comments = 'li article [dir=auto]';

/** The exact texts of elements, including collapsed spaces. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map((element) => element.textContent));

test.beforeAll(() => {
  if (!existsSync(listFile))
    test.info().annotations.push({ type: 'note', description: 'The long list of strings does not exist here.' });
});

test('strings that break other programs are shown unchanged and do nothing', async ({ browser, baseURL }) => {
  test.setTimeout(180_000);
  const anna = await newPerson(browser, 'Anna');
  const elsewhere: string[] = [];
  const { page } = anna;
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => elsewhere.push('a dialog')));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseURL) elsewhere.push(request.url());
  });

  for (const [place, texts] of pollsOfTen(strings).entries()) {
    const question = texts[place % texts.length]!;
    const options = texts.map((text, index) => ({ id: `option-${index + 1}`, text }));
    const poll = await createPoll(anna, {
      question,
      description: texts[0]!,
      options,
      visibility: 'unlisted',
      optionOrder: 'fixed',
    });
    expect(poll.options.map(({ text }) => text)).toEqual(texts);
    for (const text of texts) await postComment(anna, poll, text);
    await page.goto(urlOf(poll));
    await expect(page.locator(comments)).toHaveCount(texts.length);
    expect(await textsOf(page, 'h1')).toEqual([question]);
    expect(await textsOf(page, 'label:has(input[type=radio])')).toEqual(texts);
    expect(await textsOf(page, comments)).toEqual(texts.toReversed());
    expect(await page.title()).toContain(question.replace(/\s+/g, ' '));
    const schemes = await page
      .locator('li article a')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).protocol));
    expect(schemes.filter((scheme) => scheme !== 'https:' && scheme !== 'http:')).toEqual([]);
  }
  expect(await page.evaluate(() => 'tripped' in window)).toBe(false);
  expect([...elsewhere, ...anna.faults]).toEqual([]);
});

test('the same strings are unchanged after being entered in forms', slow, async ({ browser }) => {
  test.setTimeout(90_000);
  const { page, faults } = await newPerson(browser, null);
  const [name, lastName, question, description, ...options] = ownStrings.filter(fits) as [
    string,
    string,
    string,
    string,
  ];
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await registerInForm(page, {
    ...{ Username: `hostile-${Date.now().toString(36)}`, Password: "' or 1=1 --" },
    ...{ 'First name': name, 'Last name': lastName },
  });
  await expect(page).toHaveURL('/');

  await page.goto('/community-polls/new');
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByRole('form').getByText('Settings', { exact: true }).click();
  await page.getByLabel('Visibility').selectOption('unlisted');
  for (const [index, text] of options.entries()) {
    if (index > 1) await page.getByRole('button', { name: 'Add option' }).click();
    await page.getByRole('textbox', { name: `Option ${index + 1}`, exact: true }).fill(text);
  }
  await page.getByRole('button', { name: 'Create Poll', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('region', { name: 'Share This Poll' }).waitFor();
  expect(await textsOf(page, 'h1')).toEqual([question]);
  expect(await textsOf(page, 'label:has(input[type=radio])')).toEqual(options);
  await expect(page.getByText(description, { exact: true })).toBeVisible();

  // The discussion hydrates when it is scrolled into view.
  await page.getByRole('heading', { name: /^Community Discussion/ }).scrollIntoViewIfNeeded();
  for (const text of ownStrings) {
    await page.getByLabel('Your comment').fill(text);
    await page.getByRole('button', { name: 'Post Comment' }).click();
    await expect(page.getByLabel('Your comment')).toHaveValue('');
  }
  await expect(page.getByRole('heading', { name: `Community Discussion (${ownStrings.length})` })).toBeVisible();
  await page.reload();
  await expect(page.locator(comments)).toHaveCount(ownStrings.length);
  expect(await textsOf(page, comments)).toEqual(ownStrings.toReversed());
  expect(await textsOf(page, 'li article bdi:first-child')).toEqual(ownStrings.map(() => `${name} ${lastName}`));
  expect(await page.evaluate(() => 'tripped' in window)).toBe(false);
  expect(faults).toEqual([]);
});

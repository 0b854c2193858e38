import type { FrameLocator, Page } from 'playwright/test';
import type { NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { embedHeight } from '#site/polls/embed-code.ts';
import { severalTexts } from '#texts/choices.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { embedCodeTexts, embedTexts } from '#texts/embeds.ts';
import { writtenTexts } from '#texts/write-ins.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { otherSite } from './other-site.ts';

const kinds = {
  written: { writeIns: true, resultVisibility: 'always' },
  several: { method: 'several', minChoices: 1, maxChoices: 3, resultVisibility: 'always' },
  ranked: { method: 'ranked', maxChoices: 3 },
} as const satisfies Record<string, Partial<NewCommunityPoll>>;
const pollOf = (kind: keyof typeof kinds) => ({ ...kinds[kind], optionOrder: 'fixed' }) as const;
const cast = (page: Page) => page.getByRole('button', { name: 'Cast Vote' }).click();

/** Opens the poll with an answer in its frame, in a window of its own. */
async function open(page: Page, frame: Page | FrameLocator, answer: string): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await frame.getByRole('list', { name: embedTexts.answers }).getByRole('link', { name: answer }).click();
  return opened;
}

test('an answer of a community poll on another site opens its page with that answer marked, for each kind of ballot', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const ben = await newPerson(browser, null);
  const embedded = async (kind: keyof typeof kinds, answer: string) => {
    const poll = await createPoll(anna, pollOf(kind));
    await anna.page.goto(urlOf(poll));
    await anna.page.getByText(embedCodeTexts.heading).click();
    const other = await otherSite(await anna.page.getByLabel(embedCodeTexts.label).inputValue());
    try {
      await ben.page.goto(other.address);
      return await open(ben.page, ben.page.frameLocator('iframe'), answer);
    } finally {
      other.close();
    }
  };
  const written = await embedded('written', writtenTexts.other);
  await expect(written.getByRole('radio', { name: writtenTexts.other })).toBeChecked();
  await written.getByRole('textbox', { name: writtenTexts.text }).fill('Onion soup');
  await cast(written);
  await expect(written.getByText(writtenTexts.own.waiting)).toBeVisible();

  const several = await embedded('several', 'Coffee');
  await expect(several.getByRole('checkbox', { name: 'Coffee' })).toBeChecked();
  await several.getByRole('checkbox', { name: 'Tea' }).check();
  await cast(several);
  await expect(several.getByText('You chose Tea and Coffee.')).toBeVisible();

  const ranked = await embedded('ranked', 'Coffee');
  await expect(ranked.getByLabel(rankedTexts.rankOf('Coffee'))).toHaveValue('1');
  await cast(ranked);
  await expect(ranked.getByText('You chose 1. Coffee.')).toBeVisible();
  expect([anna.faults, ben.faults]).toEqual([[], []]);
});

test('without JavaScript, an answer is written on the page that an embedded poll opens', async ({ browser }) => {
  const poll = await createPoll(await newPerson(browser, 'Anna'), pollOf('written'));
  const { page } = await newPerson(browser, null, { javaScriptEnabled: false });
  await page.goto(`/embed${urlOf(poll)}`);
  await expect(page.getByText(writtenTexts.hint)).toBeVisible();
  const opened = await open(page, page, writtenTexts.other);
  await opened.getByRole('radio', { name: writtenTexts.other }).check();
  await opened.getByRole('textbox', { name: writtenTexts.text }).fill('Onion soup');
  await cast(opened);
  await expect(opened.getByText(writtenTexts.own.waiting)).toBeVisible();
});

test('an embedded poll that has not started asks nobody to vote, and its answers lead to its page', async ({
  browser,
  page,
}) => {
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const poll = await createPoll(await newPerson(browser, 'Anna'), { ...pollOf('written'), startsAt });
  await page.goto(`/embed${urlOf(poll)}`);
  await expect(page.getByText(communityPollTexts.notStarted)).toBeVisible();
  const answer = page.getByRole('link', { name: 'Coffee' });
  expect(new URL((await answer.getAttribute('href'))!).hash).toBe('');
  await expect(page.getByRole('link', { name: embedTexts.page })).toBeVisible();
  for (const text of [embedTexts.vote, embedTexts.openNote, writtenTexts.hint])
    await expect(page.getByText(text)).toHaveCount(0);
});

for (const colorScheme of themes)
  test(`an embedded community poll shows what its page does, and fits in its frame, ${colorScheme}`, async ({
    browser,
    page,
  }) => {
    const anna = await newPerson(browser, 'Anna');
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 420 });
    const voterFingerprint = `device_${crypto.randomUUID().replaceAll('-', '')}`;
    const vote = { optionIds: ['option-2', 'option-1'], voterFingerprint };
    const size = () =>
      page.evaluate(
        () => [document.documentElement.scrollWidth, document.querySelector('main')!.scrollHeight] as const,
      );
    for (const kind of ['written', 'several', 'ranked'] as const) {
      const poll = await createPoll(anna, pollOf(kind));
      const path = `/api${urlOf(poll)}`;
      const data = kind === 'written' ? { optionId: 'option-2', voterFingerprint } : vote;
      expect((await anna.page.request.post(`${path}/vote`, { data })).status()).toBe(200);
      for (const isClosed of [false, true]) {
        if (isClosed) expect((await anna.page.request.post(`${path}/close`)).status()).toBe(200);
        // A browser keeps it for a minute.
        await page.goto(`/embed${urlOf(poll)}?${isClosed}`);
        const [width, height] = await size();
        expect([kind, isClosed, width, height <= embedHeight({ ...poll, totalVotes: 1 })]).toEqual([
          kind,
          isClosed,
          320,
          true,
        ]);
        expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
        const total = kind === 'several' ? severalTexts.voters(1, '1') : communityPollTexts.votes(1, '1');
        if (!isClosed && kind !== 'ranked') await expect(page.getByText(embedTexts.soFar(total))).toBeVisible();
      }
      await expect(page.getByRole('listitem').filter({ hasText: 'Coffee' })).toContainText('100');
    }
    await expect(page.getByRole('table', { name: rankedTexts.rounds })).toBeVisible();
    const secret = await createPoll(anna, { ...pollOf('several'), resultVisibility: 'creator' });
    await anna.page.request.post(`/api${urlOf(secret)}/vote`, { data: vote });
    await page.goto(`/embed${urlOf(secret)}`);
    await expect(page.getByText(severalTexts.rule({ min: 1, max: 3 }))).toBeVisible();
    await expect(page.getByText(/^Results so far/)).toHaveCount(0);
    await anna.page.request.post(`/api${urlOf(secret)}/close`);
    await page.goto(`/embed${urlOf(secret)}?closed`);
    await expect(page.getByText(communityPollTexts.voting.secret.creator)).toBeVisible();
  });

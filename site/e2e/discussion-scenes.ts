import type { Page } from 'playwright';
import { onPoll, say, talk } from './community-poll-scenes.ts';
import { refusing, silent } from './scene.ts';
import type { Scene } from './scene.ts';

const box = (page: Page) => page.getByLabel('Your comment');

async function post(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.getByRole('button', { name: 'Post Comment' }).click();
}

/** Scrolls to the discussion. */
async function look(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /^Community Discussion/ }).evaluate((heading) => {
    scrollTo({ top: heading.getBoundingClientRect().top + scrollY - 120, behavior: 'instant' });
  });
}

/** The discussion under a community poll. */
export const discussionScenes: readonly Scene[] = [
  onPoll({
    name: 'comment-blank',
    fullPage: false,
    async act(page) {
      await post(page, '   ');
      await page.getByText('Please enter a comment before submitting.').waitFor();
      await look(page);
    },
  }),
  onPoll({
    name: 'comment-full',
    fullPage: false,
    async act(page) {
      await box(page).fill('To the last letter, '.repeat(25));
      await look(page);
    },
  }),
  onPoll({
    name: 'comment-pending',
    fullPage: false,
    before: talk,
    async act(page) {
      await silent(page, '**/comments');
      await post(page, 'On its way.');
      await look(page);
    },
  }),
  onPoll({
    name: 'comment-failed',
    fullPage: false,
    before: talk,
    async act(page) {
      await refusing(page, '**/comments', 500, {});
      await post(page, 'This will come back.');
      await page.getByText('Failed to post comment. Please try again.').first().waitFor();
      await look(page);
    },
  }),
  onPoll({
    name: 'comments-many',
    async before(page, address) {
      for (let n = 1; n <= 55; n++) await say(page, address, `Thought number ${n}, and why it matters.`);
    },
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    },
  }),
  onPoll({
    name: 'comments-new',
    before: talk,
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.route(/\/api\/community-polls\/[^/]+$/, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...((await answer.json()) as object), commentCount: 5 } });
      });
      await page.getByRole('button', { name: 'Show 2 new comments' }).waitFor({ timeout: 20_000 });
      await look(page);
    },
  }),
  onPoll({
    name: 'comments-failed',
    api: 'without-comments',
    before: talk,
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.getByRole('heading', { name: 'Failed to fetch comments' }).waitFor({ timeout: 20_000 });
      await look(page);
    },
  }),
  onPoll({
    name: 'comment-delete',
    fullPage: false,
    before: talk,
    act: (page) =>
      page
        .getByRole('button', { name: /^Delete comment/ })
        .first()
        .click(),
  }),
  onPoll({
    name: 'comment-report',
    fullPage: false,
    async before(page, address) {
      await talk(page, address);
      const data = { username: `carla-${Date.now().toString(36)}`, password: 'correct horse' };
      await page.request.post(new URL('/api/register', address).href, { data });
    },
    act: (page) =>
      page
        .getByRole('button', { name: /^Report comment/ })
        .first()
        .click(),
  }),
];

import type { Page } from 'playwright';
import type { User } from '#contract/account.ts';
import { pollScene, postComment, postThreeComments } from './community-poll-scenes.ts';
import { refusing, neverResponding } from './scene.ts';
import type { Scene } from './scene.ts';

const box = (page: Page) => page.getByLabel('Your comment');

async function post(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.getByRole('button', { name: 'Post Comment' }).click();
}

/** Scrolls to the discussion. */
async function scrollToDiscussion(page: Page): Promise<void> {
  await page.getByRole('heading', { name: /^Community Discussion/ }).evaluate((heading) => {
    scrollTo({ top: heading.getBoundingClientRect().top + scrollY - 120, behavior: 'instant' });
  });
}

/** The discussion under a community poll. */
export const discussionScenes: readonly Scene[] = [
  pollScene({
    name: 'comment-blank',
    fullPage: false,
    async act(page) {
      await post(page, '   ');
      await page.getByText('Please enter a comment before submitting.').waitFor();
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comment-full',
    fullPage: false,
    async act(page) {
      await box(page).fill('To the last letter, '.repeat(25));
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comment-pending',
    fullPage: false,
    before: postThreeComments,
    async act(page) {
      await neverResponding(page, '**/comments');
      await post(page, 'On its way.');
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comment-failed',
    fullPage: false,
    before: postThreeComments,
    async act(page) {
      await refusing(page, '**/comments', 500, {});
      await post(page, 'This will come back.');
      await page.getByText('Failed to post comment. Please try again.').first().waitFor();
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comments-many',
    async before(page, address) {
      for (let n = 1; n <= 55; n++) await postComment(page, address, `Thought number ${n}, and why it matters.`);
    },
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    },
  }),
  pollScene({
    name: 'comments-new',
    before: postThreeComments,
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.route(/\/api\/community-polls\/[^/]+$/, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...((await answer.json()) as object), commentCount: 5 } });
      });
      await page.getByRole('button', { name: 'Show 2 new comments' }).waitFor({ timeout: 20_000 });
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comments-failed',
    api: 'without-comments',
    before: postThreeComments,
    signedOut: true,
    fullPage: false,
    async act(page) {
      await scrollToDiscussion(page);
      await page.getByRole('heading', { name: 'Failed to fetch comments' }).waitFor({ timeout: 20_000 });
    },
  }),
  pollScene({
    name: 'comment-replies',
    fullPage: false,
    async before(page, address) {
      const { id } = (await (await postComment(page, address, 'Who waters the trees?')).json()) as { id: string };
      for (const content of ['The street, in turn.', `Not in July. ${'Endless'.repeat(30)}`, 'مرحبا، هذا رد قصير.'])
        await page.request.post(`${address}/comments`, { data: { content, replyTo: id } });
    },
    async act(page) {
      await page
        .getByRole('button', { name: /^Reply/ })
        .first()
        .click();
      await page.getByLabel(/^Your reply to/).fill('My turn.');
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comment-mention',
    fullPage: false,
    async before(page, address) {
      const { username } = (await (await page.request.get(new URL('/api/user', address).href)).json()) as User;
      await postComment(page, address, `@${username} Which trees grow here? @nobody-at-all, you know trees.`);
    },
    act: scrollToDiscussion,
  }),
  pollScene({
    name: 'comment-session-ended',
    fullPage: false,
    before: postThreeComments,
    async act(page) {
      await refusing(page, '**/comments', 401, { message: 'Please sign in first.', code: 'UNAUTHENTICATED' });
      await post(page, 'Half of a long thought');
      await page.getByText('What you wrote is kept').waitFor();
      await scrollToDiscussion(page);
    },
  }),
  pollScene({
    name: 'comment-delete',
    fullPage: false,
    before: postThreeComments,
    act: (page) =>
      page
        .getByRole('button', { name: /^Delete comment/ })
        .first()
        .click(),
  }),
  pollScene({
    name: 'comment-report',
    fullPage: false,
    async before(page, address) {
      await postThreeComments(page, address);
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

import type { Page } from 'playwright';
import type { HistoricalPage, Poll, PollCard } from '#contract/poll.ts';
import { accountScenes } from './account-scenes.ts';
import { adminScenes } from './admin-scenes.ts';
import { communityPollScenes } from './community-poll-scenes.ts';
import { profileScenes } from './profile-scenes.ts';

/** One picture of the gallery: where it is taken and what happens before. */
export interface Scene {
  readonly name: string;
  path(origin: string): Promise<string> | string;
  /** Runs before the page is opened: routes, storage. */
  prepare?(page: Page, origin: string): Promise<unknown>;
  /** Runs when the page is there: clicks, scrolling. */
  act?(page: Page): Promise<unknown>;
  readonly javaScript?: boolean;
  readonly fullPage?: boolean;
}

async function activePolls(origin: string): Promise<Poll[]> {
  return (await (await fetch(`${origin}/api/polls/active`)).json()) as Poll[];
}

/** The closed polls of an installation, all of them. */
export async function archive(origin: string): Promise<PollCard[]> {
  const first = await page(1);
  const more = await Promise.all(
    Array.from({ length: Math.ceil(first.total / 50) - 1 }, (_, index) => page(index + 2)),
  );
  return [first, ...more].flatMap(({ polls }) => polls);

  async function page(number: number): Promise<HistoricalPage> {
    const response = await fetch(`${origin}/api/polls/historical/paginated?limit=50&page=${number}`);
    return (await response.json()) as HistoricalPage;
  }
}

function report(fits: (poll: PollCard, all: readonly PollCard[]) => boolean) {
  return async (origin: string) => {
    const all = await archive(origin);
    const found = all.find((poll) => fits(poll, all));
    if (!found) throw new Error('The demonstration data has no poll for this scene.');
    return `/poll/${found.id}`;
  };
}

const topVotes = (poll: PollCard) => poll.options.map(({ votes }) => votes).sort((a, b) => b - a);
const openPoll = async (origin: string) => `/poll/${(await activePolls(origin))[0]!.id}`;
const broken = async (page: Page) => page.route('**/api/**', (route) => route.abort());
const answering = (body: unknown) => async (page: Page) =>
  page.route('**/api/polls/**', (route) => route.fulfill({ json: body }));

async function voteFirst(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^vote/i }).first().click();
  await page.getByText('Vote Recorded', { exact: true }).first().waitFor();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** The chart wakes when it is scrolled to; a picture of the whole page is taken from the top. */
async function wakeChart(page: Page): Promise<void> {
  await page.locator('canvas').scrollIntoViewIfNeeded();
  await page.waitForTimeout(900);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** Signs a new member in on the page's browser. */
async function asMember(page: Page, origin: string): Promise<void> {
  const username = `member-${Date.now().toString(36)}`;
  await page.request.post(`${origin}/api/register`, { data: { username, password: 'correct horse' } });
}

async function openPollForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Your Poll' }).click();
  await page.getByRole('textbox', { name: 'Question' }).waitFor();
}

export const scenes: readonly Scene[] = [
  { name: 'home', path: () => '/' },
  { name: 'home-chosen', path: () => '/', act: async (page) => page.getByRole('radio').nth(1).check() },
  { name: 'home-voted', path: () => '/', act: voteFirst },
  { name: 'home-api-away', path: () => '/', prepare: broken },
  { name: 'home-no-polls', path: () => '/', prepare: answering([]) },
  { name: 'home-no-javascript', path: () => '/', javaScript: false },
  {
    name: 'home-menu',
    path: () => '/',
    fullPage: false,
    async act(page) {
      const toggle = page.getByRole('button', { name: /menu/i });
      if (await toggle.isVisible()) await toggle.click();
    },
  },
  {
    name: 'vote-failed',
    path: () => '/',
    fullPage: false,
    async act(page) {
      await page.route('**/api/polls/*/vote', (route) => route.abort());
      await page.getByRole('radio').first().check();
      await page.getByRole('button', { name: /^vote/i }).first().click();
      await page.getByText('Vote Failed').first().waitFor();
    },
  },
  { name: 'archive', path: () => '/historical' },
  { name: 'archive-filtered', path: () => '/historical?sort=most-voted&page=2' },
  { name: 'archive-empty', path: () => '/historical?category=Nothing-here' },
  { name: 'archive-api-away', path: () => '/historical?page=2', prepare: broken },
  { name: 'archive-no-javascript', path: () => '/historical?page=2', javaScript: false },
  { name: 'poll-open', path: openPoll },
  { name: 'poll-open-voted', path: openPoll, act: voteFirst },
  { name: 'poll-open-no-javascript', path: openPoll, javaScript: false },
  { name: 'report', path: report((poll) => poll.options.length > 3 && poll.totalVotes > 100), act: wakeChart },
  {
    name: 'report-bar-chart',
    path: report((poll) => poll.options.length > 3 && poll.totalVotes > 100),
    async act(page) {
      await wakeChart(page);
      await page.getByText('Bar', { exact: true }).first().click();
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    },
  },
  {
    name: 'report-tie',
    path: report((poll) => poll.totalVotes > 0 && topVotes(poll)[0] === topVotes(poll)[1]),
    act: wakeChart,
  },
  { name: 'report-no-votes', path: report((poll) => poll.totalVotes === 0) },
  { name: 'report-one-vote', path: report((poll) => poll.totalVotes === 1), act: wakeChart },
  {
    name: 'report-most-voted',
    path: report((poll, all) => all.every((other) => other.totalVotes <= poll.totalVotes)),
    act: wakeChart,
  },
  { name: 'report-right-to-left', path: report((poll) => /[\u0590-\u06ff]/.test(poll.question)), act: wakeChart },
  { name: 'report-long-question', path: report((poll) => poll.question.length > 150), act: wakeChart },
  { name: 'report-many-options', path: report((poll) => poll.options.length >= 10), act: wakeChart },
  {
    name: 'report-print',
    path: report((poll) => poll.options.length > 3 && poll.totalVotes > 100),
    act: async (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'report-no-javascript', path: report((poll) => poll.options.length > 3), javaScript: false },
  { name: 'community-list', path: () => '/community-polls' },
  { name: 'community-list-page', path: () => '/community-polls?page=2' },
  { name: 'community-list-empty', path: () => '/community-polls?category=World+News', prepare: asMember },
  { name: 'community-list-past-the-end', path: () => '/community-polls?page=99' },
  { name: 'community-list-api-away', path: () => '/community-polls', prepare: broken },
  { name: 'community-list-no-javascript', path: () => '/community-polls?page=2', javaScript: false },
  {
    name: 'community-list-loading',
    path: () => '/community-polls?show=mine',
    async prepare(page, origin) {
      await asMember(page, origin);
      await page.route('**/api/community-polls?*', () => new Promise(() => undefined));
    },
  },
  { name: 'community-list-mine', path: () => '/community-polls?show=mine', prepare: asMember },
  { name: 'community-form', path: () => '/community-polls', prepare: asMember, act: openPollForm },
  {
    name: 'community-form-wrong',
    path: () => '/community-polls',
    prepare: asMember,
    async act(page) {
      await openPollForm(page);
      await page.getByRole('textbox', { name: 'Option 1' }).fill('The same');
      await page.getByRole('textbox', { name: 'Option 2' }).fill('the same');
      for (let more = 0; more < 3; more++) await page.getByRole('button', { name: 'Add option' }).click();
      await page.getByLabel('End', { exact: true }).fill('2020-01-01T10:00');
      await page.getByRole('button', { name: 'Create Poll', exact: true }).click();
      await page.getByText('Question is required').waitFor();
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    },
  },
  {
    name: 'community-link-dialog',
    path: () => '/community-polls',
    prepare: asMember,
    fullPage: false,
    async act(page) {
      await openPollForm(page);
      await page.getByRole('textbox', { name: 'Question' }).fill('Who brings the cake?');
      await page.getByRole('textbox', { name: 'Option 1' }).fill('I do');
      await page.getByRole('textbox', { name: 'Option 2' }).fill('You do');
      await page.getByLabel('Visibility').selectOption('private');
      await page.getByRole('button', { name: 'Create Poll', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...communityPollScenes,
  ...accountScenes,
  ...profileScenes,
  ...adminScenes,
  { name: 'blog', path: () => '/blog' },
  { name: 'blog-category', path: () => '/blog/category/questions' },
  { name: 'blog-missing', path: () => '/blog/there-is-no-such-article' },
  { name: 'article-bars', path: () => '/blog/following-the-crowd' },
  { name: 'article-dots', path: () => '/blog/what-a-tie-means' },
  { name: 'article-line', path: () => '/blog/who-answers-when-nobody-was-asked' },
  {
    name: 'article-print',
    path: () => '/blog/who-answers-when-nobody-was-asked',
    act: async (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'article-no-javascript', path: () => '/blog/one-vote-each-nearly', javaScript: false },
  { name: 'about', path: () => '/about' },
  { name: 'terms', path: () => '/terms' },
  { name: 'privacy', path: () => '/privacy' },
  { name: 'disclaimer', path: () => '/disclaimer' },
  { name: 'poll-missing', path: () => '/poll/there-is-no-such-poll' },
  { name: 'not-found', path: () => '/nothing/here' },
];

import type { Page } from 'playwright';
import type { HistoricalPage, Poll, PollCard } from '#contract/poll.ts';

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
  { name: 'poll-missing', path: () => '/poll/there-is-no-such-poll' },
  { name: 'not-found', path: () => '/nothing/here' },
];

import type { Page } from 'playwright';
import type { Poll, PollCard } from '#contract/poll.ts';
import { activePolls, broken, fullReport, openPoll, refusing, report, silent, tooMany, toTop } from './scene.ts';
import type { Scene } from './scene.ts';

const topVotes = (poll: PollCard) => poll.options.map(({ votes }) => votes).sort((a, b) => b - a);
const answering = (body: unknown) => async (page: Page) =>
  page.route('**/api/polls/**', (route) => route.fulfill({ json: body }));

async function press(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^vote/i }).first().click();
}

async function voteFirst(page: Page): Promise<void> {
  await press(page);
  await page.getByText('Vote Recorded', { exact: true }).first().waitFor();
  await toTop(page);
}

async function failToVote(page: Page): Promise<void> {
  await press(page);
  await page.getByText('Vote Failed').first().waitFor();
}

/** Scrolls to the chart, which hydrates then, and back to the top for a full-page picture. */
async function wakeChart(page: Page): Promise<void> {
  await page.locator('canvas').scrollIntoViewIfNeeded();
  await page.waitForTimeout(900);
  await toTop(page);
}

/** An open poll whose island gets changed data after hydration. */
const learning = (change: Partial<Poll> | null) => async (page: Page, origin: string) => {
  const [poll] = await activePolls(origin);
  await page.clock.install();
  await page.route(`**/api/polls/${poll!.id}`, (route) =>
    change === null
      ? route.fulfill({ status: 404, json: { message: 'There is no such poll.', code: 'POLL_NOT_FOUND' } })
      : route.fulfill({ json: { ...poll, ...change } }),
  );
};

/** Pages poll every 30 seconds. */
async function aMinuteLater(page: Page): Promise<void> {
  await page.waitForTimeout(1_000);
  await page.clock.runFor(61_000);
  await page.waitForTimeout(300);
}

/** The home page, the archive, weekly polls, and their reports. */
export const pollScenes: readonly Scene[] = [
  { name: 'home', path: () => '/' },
  { name: 'home-chosen', path: () => '/', act: async (page) => page.getByRole('radio').nth(1).check() },
  { name: 'home-voted', path: () => '/', act: voteFirst },
  {
    name: 'home-vote-pending',
    path: () => '/',
    prepare: (page) => silent(page, '**/api/polls/*/vote'),
    async act(page) {
      await press(page);
      await toTop(page);
    },
  },
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
    prepare: async (page) => page.route('**/api/polls/*/vote', (route) => route.abort()),
    act: failToVote,
  },
  {
    name: 'vote-too-many',
    path: () => '/',
    fullPage: false,
    prepare: (page) => refusing(page, '**/api/polls/*/vote', 429, tooMany),
    act: failToVote,
  },
  { name: 'archive', path: () => '/historical' },
  { name: 'archive-filtered', path: () => '/historical?sort=most-voted&page=2' },
  { name: 'archive-empty', path: () => '/historical?category=Nothing-here' },
  { name: 'archive-past-the-end', path: () => '/historical?page=99' },
  { name: 'archive-invalid', path: () => '/historical?page=0' },
  {
    name: 'archive-loading',
    path: () => '/historical',
    prepare: (page) => silent(page, '**/api/polls/historical/**'),
    act: async (page) => page.getByLabel('Sort').selectOption('oldest'),
  },
  {
    name: 'archive-failed',
    path: () => '/historical',
    prepare: broken,
    async act(page) {
      await page.getByLabel('Sort').selectOption('oldest');
      await page.getByText('Try again').waitFor();
    },
  },
  { name: 'archive-no-javascript', path: () => '/historical?page=2', javaScript: false },
  { name: 'poll-open', path: openPoll },
  { name: 'poll-open-voted', path: openPoll, act: voteFirst },
  {
    name: 'poll-open-embed-code',
    path: openPoll,
    act: async (page) => page.locator('details summary').first().click(),
  },
  {
    name: 'poll-open-link-copied',
    path: openPoll,
    fullPage: false,
    async act(page) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy Link' }).click();
      await page.getByText('Link Copied!').first().waitFor();
    },
  },
  {
    name: 'poll-open-stale',
    path: openPoll,
    prepare: async (page) => {
      await page.clock.install();
      await broken(page);
    },
    act: aMinuteLater,
  },
  {
    name: 'poll-open-closes',
    path: openPoll,
    prepare: learning({ isActive: false, closedAt: new Date().toISOString() }),
    act: aMinuteLater,
  },
  {
    name: 'poll-open-removed',
    path: openPoll,
    prepare: learning(null),
    act: async (page) => page.getByText('Poll Not Found').waitFor(),
  },
  { name: 'poll-open-no-javascript', path: openPoll, javaScript: false },
  { name: 'poll-missing', path: () => '/poll/there-is-no-such-poll' },
  { name: 'report', path: report(fullReport), act: wakeChart },
  {
    name: 'report-bar-chart',
    path: report(fullReport),
    async act(page) {
      await wakeChart(page);
      await page.getByText('Bar', { exact: true }).first().click();
      await toTop(page);
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
  { name: 'report-no-javascript', path: report((poll) => poll.options.length > 3), javaScript: false },
  { name: 'embed-open', path: async (origin) => `/embed${await openPoll(origin)}`, fullPage: false },
  { name: 'embed-closed', path: report(fullReport, '/embed'), fullPage: false },
  { name: 'embed-many-options', path: report((poll) => poll.options.length >= 10, '/embed') },
  { name: 'embed-missing', path: () => '/embed/poll/there-is-no-such-poll', fullPage: false },
];

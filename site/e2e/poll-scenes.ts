import type { Page } from 'playwright';
import type { Poll, PollCard } from '#contract/poll.ts';
import {
  activePolls,
  offline,
  fullReport,
  openPoll,
  refusing,
  report,
  neverResponding,
  rateLimited,
  scrollToTop,
} from './scene.ts';
import type { Scene } from './scene.ts';
import { archive } from './scene.ts';

const sortedVotes = (poll: PollCard) => poll.options.map(({ votes }) => votes).sort((a, b) => b - a);
const respondingWith = (body: unknown) => async (page: Page) =>
  page.route('**/api/polls/**', (route) => route.fulfill({ json: body }));

async function submitVote(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^vote/i }).first().click();
}

async function voteFirst(page: Page): Promise<void> {
  await submitVote(page);
  await page.getByText('Vote Recorded', { exact: true }).first().waitFor();
  await scrollToTop(page);
}

/** Votes are answered as if the poll had no vote before. */
const asFirstVote = async (page: Page) =>
  page.route('**/api/polls/*/vote', async (route) => {
    const response = await route.fetch();
    const poll = (await response.json()) as Poll;
    const options = poll.options.map((option) => ({ ...option, votes: option.id === poll.userVote ? 1 : 0 }));
    await route.fulfill({ response, json: { ...poll, options, totalVotes: 1 } });
  });

async function failToVote(page: Page): Promise<void> {
  await submitVote(page);
  await page.getByText('Vote Failed').first().waitFor();
}

/** An open poll whose island gets changed data after hydration. */
const withChangedPoll = (change: Partial<Poll> | null) => async (page: Page, origin: string) => {
  const [poll] = await activePolls(origin);
  await page.clock.install();
  await page.route(`**/api/polls/${poll!.id}`, (route) =>
    change === null
      ? route.fulfill({ status: 404, json: { message: 'There is no such poll.', code: 'POLL_NOT_FOUND' } })
      : route.fulfill({ json: { ...poll, ...change } }),
  );
};

/** Pages poll every 30 seconds. */
async function advanceOneMinute(page: Page): Promise<void> {
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
    name: 'home-answered',
    path: () => '/',
    async prepare(page, origin) {
      const polls = (await activePolls(origin)).map((poll) => ({
        ...{ ...poll, totalVotes: poll.totalVotes + 2, hasVoted: true, userVote: poll.options[0]!.id },
        options: poll.options.map((option, at) => ({ ...option, votes: option.votes + (at < 2 ? 1 : 0) })),
      }));
      await page.route('**/api/polls/active?*', (route) => route.fulfill({ json: polls }));
    },
    act: (page) => page.getByRole('button', { name: 'Download Picture' }).waitFor(),
  },
  {
    name: 'home-vote-pending',
    path: () => '/',
    prepare: (page) => neverResponding(page, '**/api/polls/*/vote'),
    async act(page) {
      await submitVote(page);
      await scrollToTop(page);
    },
  },
  { name: 'home-api-away', path: () => '/', prepare: offline },
  { name: 'home-no-polls', path: () => '/', prepare: respondingWith([]) },
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
    prepare: (page) => refusing(page, '**/api/polls/*/vote', 429, rateLimited),
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
    prepare: (page) => neverResponding(page, '**/api/polls/historical/**'),
    act: async (page) => page.getByLabel('Sort').selectOption('oldest'),
  },
  {
    name: 'archive-failed',
    path: () => '/historical',
    prepare: offline,
    async act(page) {
      await page.getByLabel('Sort').selectOption('oldest');
      await page.getByText('Try again').waitFor();
    },
  },
  { name: 'archive-no-javascript', path: () => '/historical?page=2', javaScript: false },
  { name: 'topic-tag', path: () => '/historical/tag/climate' },
  {
    name: 'topic-page',
    async path(origin) {
      const years = (await archive(origin)).map(({ closedAt }) => closedAt?.slice(0, 4) ?? '');
      const [year] = [...Map.groupBy(years, (one) => one)].sort(([, a], [, b]) => b.length - a.length)[0]!;
      return `/historical/year/${year}/2`;
    },
  },
  { name: 'topic-series', path: () => '/historical/series/changing-the-clocks' },
  { name: 'topic-missing', path: () => '/historical/tag/nothing-here' },
  { name: 'poll-open', path: openPoll },
  { name: 'poll-open-voted', path: openPoll, act: voteFirst },
  { name: 'poll-open-first-vote', path: openPoll, prepare: asFirstVote, act: voteFirst },
  {
    name: 'poll-open-restricted',
    path: openPoll,
    act: (page) => page.evaluate(() => delete document.documentElement.dataset.unrestricted),
  },
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
      await offline(page);
    },
    act: advanceOneMinute,
  },
  {
    name: 'poll-open-closes',
    path: openPoll,
    prepare: withChangedPoll({ isActive: false, closedAt: new Date().toISOString() }),
    async act(page) {
      await advanceOneMinute(page);
      await page.getByText('Poll Closed').first().waitFor();
    },
  },
  {
    name: 'poll-open-removed',
    path: openPoll,
    prepare: withChangedPoll(null),
    async act(page) {
      await advanceOneMinute(page);
      await page.getByText('Poll Not Found').waitFor();
    },
  },
  { name: 'poll-open-no-javascript', path: openPoll, javaScript: false },
  {
    name: 'poll-voted-no-javascript',
    path: openPoll,
    javaScript: false,
    act: async (page) => {
      await submitVote(page);
      await page.waitForURL('**/voted');
    },
  },
  {
    name: 'poll-vote-refused-no-javascript',
    path: openPoll,
    javaScript: false,
    act: async (page) => {
      // Like a browser that doesn’t validate forms, or a program.
      await page.evaluate(() => (document.querySelector<HTMLFormElement>('form[data-ballot]')!.noValidate = true));
      await page.getByRole('button', { name: /^vote/i }).click();
      await page.waitForURL('**/vote*');
    },
  },
  { name: 'poll-missing', path: () => '/poll/there-is-no-such-poll' },
  { name: 'report', path: report(fullReport) },
  {
    name: 'report-bar-chart',
    path: report(fullReport),
    async act(page) {
      await page.getByText('Bar', { exact: true }).first().click();
      await scrollToTop(page);
    },
  },
  {
    name: 'report-tie',
    path: report((poll) => poll.totalVotes > 0 && sortedVotes(poll)[0] === sortedVotes(poll)[1]),
  },
  { name: 'report-no-votes', path: report((poll) => poll.totalVotes === 0) },
  { name: 'report-one-vote', path: report((poll) => poll.totalVotes === 1) },
  {
    name: 'report-most-voted',
    path: report((poll, all) => all.every((other) => other.totalVotes <= poll.totalVotes)),
  },
  { name: 'report-series', path: report((poll) => poll.question.includes('change the clocks')) },
  { name: 'report-right-to-left', path: report((poll) => /[\u0590-\u06ff]/.test(poll.question)) },
  { name: 'report-long-question', path: report((poll) => poll.question.length > 150) },
  { name: 'report-many-options', path: report((poll) => poll.options.length >= 10) },
  { name: 'report-no-javascript', path: report((poll) => poll.options.length > 3), javaScript: false },
  { name: 'embed-open', path: async (origin) => `/embed${await openPoll(origin)}`, fullPage: false },
  { name: 'embed-closed', path: report(fullReport, '/embed'), fullPage: false },
  { name: 'embed-many-options', path: report((poll) => poll.options.length >= 10, '/embed') },
  { name: 'embed-missing', path: () => '/embed/poll/there-is-no-such-poll', fullPage: false },
];

import type { Page } from 'playwright';
import type { CommunityPoll, NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll, PollCard } from '#api/polls/polls.contract.ts';
import { choiceTexts } from '#texts/choices.ts';
import { reviewTexts, writtenTexts } from '#texts/write-ins.ts';
import { mockMember } from './member-api.ts';
import type { MemberState } from './member-api.ts';
import { keep, publish, publishedPoll, receipts, tampered } from './published-poll.ts';
import {
  archive,
  fullReport,
  neverResponding,
  offline,
  openPoll,
  report,
  scrollToTop,
  signInNewMember,
  signInToAdmin,
} from './scene.ts';
import type { Scene } from './scene.ts';
import { enterPassword, openPolls } from './page-helpers.ts';

type More = Omit<Scene, 'name' | 'path'>;

/** A scene at a path that is known. */
const at = (name: string, path: string, more: More = {}): Scene => ({ name, path: () => path, ...more });

const noJavaScript = { javaScript: false } as const;
const print = { print: true } as const;
const picture = { fullPage: false, picture: true } as const;
const window = { fullPage: false } as const;
const onScreen = async (origin: string) => `${await openPoll(origin)}/screen`;
const asOperator = { act: signInToAdmin } as const;

const sortedVotes = (poll: PollCard) => poll.options.map(({ votes }) => votes).sort((a, b) => b - a);

async function submitVote(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page
    .getByRole('button', { name: /^(cast )?vote/i })
    .first()
    .click();
}

const voteAndSee = (seen: string | RegExp) => async (page: Page) => {
  await submitVote(page);
  await page.getByText(seen).first().waitFor();
  await scrollToTop(page);
};
const vote = voteAndSee('Vote Recorded');
const voteInCommunity = voteAndSee(/Live Results/);

const voteWithoutJavaScript = async (page: Page) => {
  await submitVote(page);
  await page.waitForURL('**/voted');
};

/** Votes are answered as if the poll had no vote before. */
const asFirstVote = async (page: Page) =>
  page.route('**/api/polls/*/vote', async (route) => {
    const response = await route.fetch();
    const poll = (await response.json()) as Poll;
    const options = poll.options.map((option) => ({ ...option, votes: option.id === poll.userVote ? 1 : 0 }));
    await route.fulfill({ response, json: { ...poll, options, totalVotes: 1 } });
  });

/** This week’s polls, each with a vote of this browser. */
async function asAnswered(page: Page, origin: string): Promise<void> {
  const polls = (await openPolls(origin)).map((poll) => ({
    ...{ ...poll, totalVotes: poll.totalVotes + 2, hasVoted: true, userVote: poll.options[0]!.id },
    options: poll.options.map((option, place) => ({ ...option, votes: option.votes + (place < 2 ? 1 : 0) })),
  }));
  await page.route('**/api/polls/active?*', (route) => route.fulfill({ json: polls }));
}

async function busiestYear(origin: string): Promise<string> {
  const years = (await archive(origin)).map(({ closedAt }) => closedAt?.slice(0, 4) ?? '');
  const [year] = [...Map.groupBy(years, (one) => one)].sort(([, a], [, b]) => b.length - a.length)[0]!;
  return `/historical/year/${year}/2`;
}

/** The home page, the archive, weekly polls, and their reports. */
const weekly: readonly Scene[] = [
  at('home', '/'),
  at('home-chosen', '/', { act: async (page) => page.getByRole('radio').nth(1).check() }),
  at('home-voted', '/', { act: vote }),
  at('home-answered', '/', {
    prepare: asAnswered,
    act: (page) => page.getByRole('button', { name: 'Download Picture' }).waitFor(),
  }),
  at('home-vote-pending', '/', {
    busy: true,
    prepare: (page) => neverResponding(page, '**/api/polls/*/vote'),
    async act(page) {
      await submitVote(page);
      await scrollToTop(page);
    },
  }),
  at('home-api-away', '/', { prepare: offline }),
  at('home-no-polls', '/', {
    prepare: async (page) => page.route('**/api/polls/**', (route) => route.fulfill({ json: [] })),
  }),
  at('home-no-javascript', '/', noJavaScript),
  at('vote-failed', '/', {
    ...window,
    prepare: async (page) => page.route('**/api/polls/*/vote', (route) => route.abort()),
    act: voteAndSee('Vote Failed'),
  }),
  at('archive', '/historical'),
  at('archive-filtered', '/historical?sort=most-voted&page=2'),
  at('archive-empty', '/historical?category=Nothing-here'),
  at('archive-no-javascript', '/historical?page=2', noJavaScript),
  at('topic-tag', '/historical/tag/climate'),
  { name: 'topic-page', path: busiestYear },
  at('series', '/historical/series'),
  at('topic-series', '/historical/series/changing-the-clocks'),
  { name: 'poll-open', path: openPoll },
  { name: 'poll-open-voted', path: openPoll, act: vote },
  { name: 'poll-open-first-vote', path: openPoll, prepare: asFirstVote, act: vote },
  {
    name: 'poll-open-restricted',
    path: openPoll,
    act: (page) => page.evaluate(() => delete document.documentElement.dataset.unrestricted),
  },
  { name: 'poll-results-without-voting', path: async (origin) => `${await openPoll(origin)}/results` },
  { name: 'poll-screen', path: onScreen, ...window, prepare: (page) => enterPassword(page) },
  {
    name: 'poll-screen-results',
    ...{ path: onScreen, ...window, prepare: (page) => enterPassword(page) },
    act: (page) => page.getByRole('button', { name: 'Show results' }).click(),
  },
  at('poll-screen-signed-out', '/poll/there-is-no-such-poll/screen', window),
  at('poll-screen-no-javascript', '/poll/there-is-no-such-poll/screen', { ...window, ...noJavaScript }),
  { name: 'poll-open-no-javascript', path: openPoll, ...noJavaScript },
  { name: 'poll-voted-no-javascript', path: openPoll, ...noJavaScript, act: voteWithoutJavaScript },
  {
    name: 'poll-vote-refused-no-javascript',
    path: openPoll,
    ...noJavaScript,
    async act(page) {
      // Like a browser that doesn’t validate forms, or a program.
      await page.evaluate(() => (document.querySelector<HTMLFormElement>('form[data-ballot]')!.noValidate = true));
      await page.getByRole('button', { name: /^vote/i }).click();
      await page.waitForURL('**/vote*');
    },
  },
  at('poll-missing', '/poll/there-is-no-such-poll'),
  { name: 'report', path: report(fullReport) },
  { name: 'report-tie', path: report((poll) => poll.totalVotes > 0 && sortedVotes(poll)[0] === sortedVotes(poll)[1]) },
  { name: 'report-no-votes', path: report((poll) => poll.totalVotes === 0) },
  { name: 'report-one-vote', path: report((poll) => poll.totalVotes === 1) },
  { name: 'report-series', path: report((poll) => poll.question.includes('change the clocks')) },
  { name: 'report-right-to-left', path: report((poll) => /[\u0590-\u06ff]/.test(poll.question)) },
  { name: 'report-long-question', path: report((poll) => poll.question.length > 150) },
  { name: 'report-many-options', path: report((poll) => poll.options.length >= 10) },
  { name: 'report-no-javascript', path: report((poll) => poll.options.length > 3), ...noJavaScript },
  { name: 'embed-open', path: async (origin) => `/embed${await openPoll(origin)}`, ...window },
  { name: 'embed-closed', path: report(fullReport, '/embed'), ...window },
  at('embed-series', '/embed/series/changing-the-clocks'),
  { name: 'embed-many-options', path: report((poll) => poll.options.length >= 10, '/embed') },
];

let made = 0;
const newUsername = () => `anna-${Date.now().toString(36)}-${++made}`;

/** A scene on the page of a community poll, which its creator has opened. */
interface CommunityScene extends More {
  readonly poll?: Partial<NewCommunityPoll>;
  /** Votes for the options, in order. */
  readonly votes?: readonly number[];
  /** API requests of the creator before the page is opened. */
  readonly before?: (page: Page, address: string) => Promise<unknown>;
  /** Opened by a stranger. */
  readonly signedOut?: boolean;
  /** A page under that of the poll. */
  readonly under?: string;
}

const threeOptions = ['More trees', 'Slower cars', 'A bench'].map((text, place) => ({
  id: `option-${place + 1}`,
  text,
}));

/** Votes with a browser of its own. */
const cast = (address: string, vote: object) =>
  fetch(`${address}/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...vote, voterFingerprint: `device_${crypto.randomUUID().replaceAll('-', '')}` }),
  });

function communityPoll(name: string, scene: CommunityScene = {}): Scene {
  const { poll, votes = [], before, signedOut = true, under = '', ...more } = scene;
  let path = '';
  return {
    name: `community-poll-${name}`,
    ...more,
    async prepare(page, origin) {
      const person = { username: newUsername(), password: 'correct horse', firstName: 'Anna', lastName: 'Ahn' };
      await page.request.post(`${origin}/api/register`, { data: person });
      const data = {
        question: 'Which single change would make your street better to live on?',
        description: 'One only.\nThe council reads along.',
        visibility: 'public',
        category: 'Local Issues',
        options: threeOptions,
        endsAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
        ...poll,
      };
      const created = await page.request.post(`${origin}/api/community-polls`, { data });
      path = `/community-polls/${((await created.json()) as CommunityPoll).id}`;
      const address = `${origin}/api${path}`;
      for (const option of votes.flatMap((count, place) => Array.from({ length: count }, () => place + 1)))
        await cast(address, { optionId: `option-${option}` });
      await before?.(page, address);
      if (signedOut) await page.context().clearCookies();
    },
    path: () => `${path}${under}`,
  };
}

const writeAnswers = async (_page: Page, address: string) => {
  for (const writeIn of [
    'A fountain',
    'A fountain',
    'Fewer cars, and what they need: lanes, lights, and all the parking on both sides',
  ])
    await fetch(`${address}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ writeIn, voterFingerprint: `device_${crypto.randomUUID().replaceAll('-', '')}` }),
    });
};

async function postComments(page: Page, address: string): Promise<void> {
  for (const content of [
    'More trees. Everything else follows from shade:\nbenches, people who stay, slower cars.',
    'مرحبا، هذا تعليق قصير.',
    `See https://en.wikipedia.org/wiki/Street_tree. ${'Endless'.repeat(30)}`,
  ])
    await page.request.post(`${address}/comments`, { data: { content } });
}

const edited = (page: Page, address: string) =>
  page.request.patch(address, { data: { description: 'One only, please.' } });
const closed = (page: Page, address: string) => page.request.post(`${address}/close`);
const someVotes = { votes: [4, 2, 1], before: postComments } as const;
const privatePoll = { visibility: 'private', question: 'What do we give Carla for her birthday?' } as const;
const openResults = { resultVisibility: 'always' } as const;
const writeIns = { writeIns: true, optionOrder: 'fixed' } as const;
const severalChoices = { method: 'several', minChoices: 1, maxChoices: 2 } as const;
const rankedOptions = {
  ...({ method: 'ranked', optionOrder: 'fixed' } as const),
  options: ['More trees', 'A bench at every stop', 'Slower cars', 'A market'].map((text, place) => ({
    ...{ id: `option-${place + 1}`, text },
  })),
} as const;
const rank = async (_: Page, address: string) => {
  const ballots: Readonly<Record<string, number>> = { '1,2': 7, '2,3': 6, '3,2,1': 4, '3,1': 1, '4,3,2': 2, '4': 2 };
  for (const [ranking, votes] of Object.entries(ballots))
    for (let vote = 0; vote < votes; vote++)
      await cast(address, { optionIds: ranking.split(',').map((place) => `option-${place}`) });
};
const rankSome = async (page: Page) => {
  await page.getByLabel('Rank of Slower cars').hover();
  await page.locator('astro-island[ssr] fieldset').waitFor({ state: 'detached' });
  await page.getByLabel('Rank of Slower cars').selectOption('1');
  await page.getByLabel('Rank of More trees').selectOption('2');
};
const longest = {
  question: `${'Long'.repeat(20)} ${'and longer '.repeat(10)}`.slice(0, 200).trim(),
  description: 'A long description, sentence by sentence. '.repeat(50).slice(0, 1_999).trim(),
  options: Array.from({ length: 10 }, (_, place) => ({
    id: `option-${place + 1}`,
    text:
      place % 2 === 0
        ? `Short ${place}`
        : `${place} ${'an answer that goes on and on '.repeat(4)}`.slice(0, 118).trim(),
  })),
};

/** The list of community polls, the form, and polls in their states. */
const community: readonly Scene[] = [
  at('community-list', '/community-polls'),
  at('community-list-member', '/community-polls', { prepare: signInNewMember }),
  at('community-list-page', '/community-polls?page=2'),
  at('community-list-filtered', '/community-polls?state=open&sort=most-voted'),
  at('community-list-no-javascript', '/community-polls?page=2', noJavaScript),
  at('community-form', '/community-polls/new', {
    prepare: signInNewMember,
    act: (page) => page.getByRole('textbox', { name: 'Question' }).waitFor(),
  }),
  at('community-form-settings', '/community-polls/new', {
    prepare: signInNewMember,
    async act(page) {
      await page.getByText('Settings', { exact: true }).click();
      await page.getByLabel(choiceTexts.method).selectOption(choiceTexts.methods.several);
    },
  }),
  at('community-form-signed-out', '/community-polls/new'),
  at('invitation', '/community-polls/join#invite=made-up'),
  communityPoll('open', someVotes),
  communityPoll('voted', { ...someVotes, act: voteInCommunity }),
  communityPoll('first-vote', { act: voteInCommunity }),
  communityPoll('secret-voted', {
    poll: { resultVisibility: 'creator' },
    votes: [2, 1],
    act: voteAndSee('Vote Submitted'),
  }),
  communityPoll('several', { poll: severalChoices, votes: [2, 1] }),
  communityPoll('several-voted', {
    poll: severalChoices,
    votes: [2, 1],
    async act(page) {
      for (const name of ['More trees', 'A bench']) await page.getByRole('checkbox', { name }).check();
      await page.getByRole('button', { name: 'Cast Vote' }).click();
      await page.getByText('You chose More trees and A bench.').waitFor();
      await scrollToTop(page);
    },
  }),
  communityPoll('write-in', {
    poll: writeIns,
    votes: [2, 1],
    act: (page) => page.getByRole('textbox', { name: writtenTexts.text }).fill('A fountain'),
  }),
  communityPoll('write-in-waiting', {
    poll: writeIns,
    votes: [2, 1],
    async act(page) {
      await page.getByRole('textbox', { name: writtenTexts.text }).fill('A fountain');
      await page.getByRole('button', { name: 'Cast Vote' }).click();
      await page.getByText(writtenTexts.own.waiting).waitFor();
      await scrollToTop(page);
    },
  }),
  communityPoll('write-in-review', {
    poll: writeIns,
    votes: [2, 1],
    before: writeAnswers,
    signedOut: false,
    act: (page) => page.getByRole('region', { name: reviewTexts.heading }).waitFor(),
  }),
  communityPoll('write-in-merge', {
    ...window,
    poll: writeIns,
    before: writeAnswers,
    signedOut: false,
    async act(page) {
      await page.getByRole('button', { name: reviewTexts.labels.merge('A fountain') }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  communityPoll('write-in-added', {
    poll: writeIns,
    votes: [2, 1],
    async before(page, address) {
      await writeAnswers(page, address);
      await page.request.post(`${address}/write-ins/write-in-1`, { data: { action: 'approve' } });
    },
    act: voteInCommunity,
  }),
  communityPoll('write-in-refused-no-javascript', {
    poll: writeIns,
    ...noJavaScript,
    async act(page) {
      await page.getByRole('radio', { name: writtenTexts.other }).check();
      await page.getByRole('textbox', { name: writtenTexts.text }).fill('MORE TREES');
      await page.getByRole('button', { name: 'Cast Vote' }).click();
      await page.waitForURL('**/vote*');
    },
  }),
  communityPoll('ranked', { poll: rankedOptions, act: rankSome }),
  communityPoll('ranked-no-javascript', { poll: rankedOptions, ...noJavaScript }),
  communityPoll('ranked-voted', {
    poll: rankedOptions,
    before: rank,
    async act(page) {
      await rankSome(page);
      await page.getByRole('button', { name: 'Cast Vote' }).click();
      await page.getByText('You chose 1. Slower cars, 2. More trees.').waitFor();
      await scrollToTop(page);
    },
  }),
  communityPoll('ranked-closed', {
    poll: rankedOptions,
    async before(page, address) {
      await rank(page, address);
      await closed(page, address);
    },
  }),
  communityPoll('ranked-results-without-voting', {
    poll: { ...rankedOptions, ...openResults },
    before: rank,
    under: '/results',
  }),
  communityPoll('results-without-voting', { poll: openResults, votes: [4, 2, 1], under: '/results' }),
  communityPoll('several-results-without-voting', {
    poll: { ...severalChoices, ...openResults },
    votes: [4, 2, 1],
    under: '/results',
  }),
  communityPoll('history', { votes: [1], before: edited, under: '/history' }),
  communityPoll('recount', { votes: [1], under: '/recount' }),
  communityPoll('guess', {
    votes: [4, 2, 1],
    before: (page) =>
      page.addInitScript(() =>
        localStorage.setItem('weathervane-guesses', JSON.stringify({ on: true, guesses: 0, points: 0 })),
      ),
    async act(page) {
      await submitVote(page);
      await page.getByRole('slider').first().waitFor();
    },
  }),
  communityPoll('member', { ...someVotes, signedOut: false }),
  communityPoll('closed', { votes: [3, 3, 0], before: closed }),
  communityPoll('upcoming', { poll: { startsAt: new Date(Date.now() + 2 * 86_400_000).toISOString() } }),
  communityPoll('private', { poll: privatePoll, signedOut: false }),
  communityPoll('sign-in', { poll: privatePoll }),
  communityPoll('edit', {
    signedOut: false,
    act: async (page) => page.getByRole('button', { name: 'Edit Poll' }).click(),
  }),
  communityPoll('report', {
    ...window,
    async act(page) {
      await page.getByRole('button', { name: 'Report poll' }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  communityPoll('delete', {
    ...window,
    signedOut: false,
    act: (page) => page.getByRole('button', { name: 'Delete Poll' }).click(),
  }),
  communityPoll('longest', { poll: longest, votes: [1], act: voteInCommunity }),
  communityPoll('right-to-left', { poll: { question: 'ما هو أفضل وقت في اليوم للقراءة؟' }, votes: [2, 1] }),
  communityPoll('no-javascript', { ...someVotes, ...noJavaScript }),
  communityPoll('voted-no-javascript', { votes: [2, 1], ...noJavaScript, act: voteWithoutJavaScript }),
  communityPoll('print', { ...someVotes, ...print }),
  communityPoll('print-closed', { votes: [3, 4, 0], before: closed, ...print }),
];

const inState = (state: MemberState) => async (page: Page, origin: string) => mockMember(page, origin, state);

async function recount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Recount now' }).click();
  await page.getByRole('button', { name: 'Recount again' }).waitFor();
}
const withReceipts = (page: Page) => keep(page, { 'weathervane-receipts': receipts });
const recountPath = `/poll/${publishedPoll.id}/recount`;

/** Signing in, a member’s pages in each state, receipts, and recounts. */
const members: readonly Scene[] = [
  at('auth-login', '/auth'),
  at('auth-register', '/auth#register'),
  at('auth-no-javascript', '/auth', noJavaScript),
  at('recover', '/auth/recover'),
  at('recover-link', '/auth/recover#reset=made-up'),
  at('mail-link', '/auth/email#confirm=made-up'),
  at('unsubscribe', '/auth/email#unsubscribe=made-up'),
  at('account', '/profile/account', {
    prepare: signInNewMember,
    act: async (page) => page.getByRole('heading', { name: 'Your Account' }).waitFor(),
  }),
  ...['profile', 'activities', 'badges', 'notifications', 'moderation'].flatMap((name): Scene[] => {
    const path = name === 'profile' ? '/profile' : `/profile/${name}`;
    return [
      at(name, path, { prepare: inState('full') }),
      at(`${name}-new`, path, { prepare: inState('new') }),
      at(`${name}-loading`, path, { prepare: inState('waiting'), busy: true }),
      at(`${name}-failed`, path, { prepare: inState('failing') }),
      at(`${name}-print`, path, { prepare: inState('full'), ...print }),
    ];
  }),
  at('profile-signed-out', '/profile'),
  at('profile-no-javascript', '/profile', noJavaScript),
  at('my-votes', '/my-votes', { prepare: withReceipts }),
  at('my-votes-none', '/my-votes'),
  at('recount', recountPath),
  at('recount-verified', recountPath, {
    async prepare(page) {
      await withReceipts(page);
      await publish(page);
    },
    act: recount,
  }),
  at('recount-not-verified', recountPath, {
    prepare: (page) => publish(page, tampered('changed option')),
    act: recount,
  }),
];

/** Articles, texts, and search, on screen and on paper; and pages whose API is away. */
const reading: readonly Scene[] = [
  at('blog', '/blog'),
  at('blog-category', '/blog/category/questions'),
  at('blog-missing', '/blog/there-is-no-such-article'),
  at('article-bars', '/blog/following-the-crowd'),
  at('article-dots', '/blog/what-a-tie-means'),
  at('article-line', '/blog/who-answers-when-nobody-was-asked'),
  at('article-no-javascript', '/blog/one-vote-each-nearly', noJavaScript),
  ...['about', 'integrity', 'terms', 'privacy', 'disclaimer'].map((name) => at(name, `/${name}`)),
  at('search', '/search?q=polls'),
  at('search-start', '/search'),
  at('search-nothing', '/search?q=nothinglikethis&type=report'),
  at('search-no-javascript', '/search?q=polls', noJavaScript),
  at('not-found', '/nothing/here'),
  at('picture-site', '/pictures/site.png', picture),
  { name: 'picture-report', path: async (origin) => `${await report(fullReport)(origin)}.png`, ...picture },
  at('picture-article', '/blog/following-the-crowd.png', picture),
  at('print-home', '/', print),
  { name: 'print-report', path: report(fullReport), ...print },
  { name: 'print-report-many-options', path: report((poll) => poll.options.length >= 10), ...print },
  at('print-article', '/blog/who-answers-when-nobody-was-asked', print),
  at('print-terms', '/terms', print),
  at('away-poll', '/poll/younger-than-the-release', { api: 'down' }),
  at('away-archive', '/historical?page=2', { api: 'down' }),
  at('away-community-list', '/community-polls?page=2', { api: 'down' }),
];

/** The operator’s pages. */
const admin: readonly Scene[] = [
  at('admin-locked', '/admin'),
  at('admin-no-javascript', '/admin', noJavaScript),
  at('admin-today', '/admin', asOperator),
  ...['polls', 'imports', 'moderation', 'content', 'health', 'settings'].map((name) =>
    at(`admin-${name}`, `/admin/${name}`, asOperator),
  ),
  at('admin-calendar', '/admin/polls?view=calendar', asOperator),
  at('admin-calendar-empty', '/admin/polls?view=calendar&month=2099-02', asOperator),
  at('admin-content-article', '/admin/content?entry=blog/what-a-tie-means', {
    async act(page) {
      await signInToAdmin(page);
      await page.getByRole('region', { name: 'Preview' }).locator('p').first().waitFor();
    },
  }),
  at('admin-new-poll', '/admin/polls', {
    async act(page) {
      await signInToAdmin(page);
      await page.getByRole('button', { name: 'New poll' }).click();
    },
  }),
];

/** Every picture of the gallery: each route, and the states that people meet. */
export const scenes: readonly Scene[] = [...weekly, ...community, ...members, ...reading, ...admin];

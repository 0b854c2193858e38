import type { Page } from 'playwright';
import type { CommunityPoll, NewCommunityPoll } from '#contract/community-poll.ts';
import { refusing, neverResponding, scrollToTop } from './scene.ts';
import type { Scene } from './scene.ts';

let made = 0;

/** Registers a member outside of the page’s browser and returns the username. */
async function registerMember(address: string, firstName: string, lastName: string): Promise<string> {
  const username = `${firstName.toLowerCase()}-${Date.now().toString(36)}-${++made}`;
  await fetch(new URL('/api/register', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'correct horse', firstName, lastName }),
  });
  return username;
}

/** Signs in a new member in the page’s browser, creates a poll, and returns it. */
async function createOwnPoll(page: Page, origin: string, more: Partial<NewCommunityPoll> = {}): Promise<CommunityPoll> {
  const username = `anna-${Date.now().toString(36)}-${++made}`;
  const person = { username, password: 'correct horse', firstName: 'Anna', lastName: 'Ahn' };
  await page.request.post(`${origin}/api/register`, { data: person });
  const response = await page.request.post(`${origin}/api/community-polls`, {
    data: {
      question: 'Which single change would make your street better to live on?',
      description: 'One only.\nThe council reads along.',
      visibility: 'public',
      category: 'Local Issues',
      options: ['More trees', 'Slower cars', 'A bench'].map((text, at) => ({ id: `option-${at + 1}`, text })),
      endsAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      ...more,
    },
  });
  return (await response.json()) as CommunityPoll;
}

/** A scene on the page of its own poll. */
export interface PollScene {
  readonly name: string;
  readonly poll?: Partial<NewCommunityPoll>;
  /** Votes for the options, in order. */
  readonly votes?: readonly number[];
  /** API requests of the creator before the page is opened. */
  readonly before?: (page: Page, address: string) => Promise<unknown>;
  readonly act?: Scene['act'];
  readonly javaScript?: boolean;
  readonly fullPage?: boolean;
  readonly print?: boolean;
  readonly api?: Scene['api'];
  /** Opened by a stranger. */
  readonly signedOut?: boolean;
}

/** A scene on the page of its own poll, opened by the creator. */
export function pollScene({ name, poll, votes = [], before, act, signedOut = false, ...rest }: PollScene): Scene {
  let path = '';
  return {
    name: `community-poll-${name}`,
    ...rest,
    async prepare(page, origin) {
      const { id } = await createOwnPoll(page, origin, poll);
      path = `/community-polls/${id}`;
      const address = `${origin}/api${path}`;
      for (const [option, count] of votes.entries())
        for (let voter = 0; voter < count; voter++)
          await fetch(`${address}/vote`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              optionId: `option-${option + 1}`,
              voterFingerprint: `device_${crypto.randomUUID().replaceAll('-', '')}`,
            }),
          });
      await before?.(page, address);
      if (signedOut) await page.context().clearCookies();
    },
    path: () => path,
    ...(act && { act }),
  };
}

export const postComment = (page: Page, address: string, content: string) =>
  page.request.post(`${address}/comments`, { data: { content } });

/** Posts three comments. */
export async function postThreeComments(page: Page, address: string): Promise<void> {
  await postComment(
    page,
    address,
    'More trees. Everything else follows from shade:\nbenches, people who stay, slower cars.',
  );
  await postComment(page, address, 'مرحبا، هذا تعليق قصير.');
  await postComment(page, address, `See https://en.wikipedia.org/wiki/Street_tree. ${'Endless'.repeat(30)}`);
}

async function voteFirst(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await page.getByRole('heading', { name: /Live Results/ }).waitFor();
  await scrollToTop(page);
}

async function castVote(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
}

/** Changes the description and the end, as the creator of a poll with votes may. */
const edit = (page: Page, address: string) =>
  page.request.patch(address, {
    data: { description: 'One only, please.', endsAt: new Date(Date.now() + 9 * 86_400_000).toISOString() },
  });

const privatePoll = { visibility: 'private', question: 'What do we give Carla for her birthday?' } as const;

/** The page of a community poll, in every state. */
export const communityPollScenes: readonly Scene[] = [
  pollScene({ name: 'open', votes: [4, 2, 1], before: postThreeComments, signedOut: true }),
  pollScene({ name: 'voted', votes: [4, 2, 1], before: postThreeComments, signedOut: true, act: voteFirst }),
  pollScene({ name: 'first-vote', signedOut: true, act: voteFirst }),
  pollScene({
    name: 'secret-voted',
    poll: { resultVisibility: 'creator' },
    votes: [2, 1],
    signedOut: true,
    async act(page) {
      await castVote(page);
      await page.getByRole('heading', { name: 'Vote Submitted', exact: true }).waitFor();
    },
  }),
  pollScene({
    name: 'guess',
    votes: [4, 2, 1],
    signedOut: true,
    before: (page) =>
      page.addInitScript(() =>
        localStorage.setItem('weathervane-guesses', JSON.stringify({ on: true, guesses: 0, points: 0 })),
      ),
    async act(page) {
      await castVote(page);
      await page.getByRole('slider').first().waitFor();
    },
  }),
  pollScene({ name: 'member', votes: [1, 1, 0], before: postThreeComments }),
  pollScene({
    name: 'closed',
    votes: [3, 3, 0],
    before: (page, address) => page.request.post(`${address}/close`),
    signedOut: true,
  }),
  pollScene({
    name: 'upcoming',
    poll: { startsAt: new Date(Date.now() + 2 * 86_400_000).toISOString() },
    signedOut: true,
  }),
  pollScene({ name: 'unlisted', poll: { visibility: 'unlisted' } }),
  pollScene({
    name: 'private',
    poll: privatePoll,
    async before(page, address) {
      const data = { usernameOrEmail: await registerMember(address, 'Ben', 'Ito') };
      await page.request.post(`${address}/invites`, { data });
    },
    async act(page) {
      await page.getByLabel(/^Usernames/).fill('nobody-of-this-name, nobody-else');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByRole('list', { name: 'Results of your list' }).getByRole('listitem').nth(1).waitFor();
      await page.getByRole('button', { name: 'Create Link' }).click();
      await page.getByRole('button', { name: 'Revoke Link' }).waitFor();
    },
  }),
  pollScene({
    name: 'private-alone',
    poll: privatePoll,
    act: async (page) => {
      await page.getByLabel(/^Usernames/).fill('nobody-of-this-name');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.locator('[aria-invalid]').waitFor();
      await scrollToTop(page);
    },
  }),
  pollScene({
    name: 'private-invites-failed',
    poll: privatePoll,
    before: (page) => page.route('**/invites', (route) => route.abort()),
    act: async (page) => page.getByText('We can’t show the invitations right now.').waitFor(),
  }),
  pollScene({ name: 'sign-in', poll: privatePoll, signedOut: true }),
  pollScene({
    name: 'denied',
    poll: privatePoll,
    async before(page, address) {
      const username = await registerMember(address, 'Ben', 'Ito');
      await page.request.post(new URL('/api/login', address).href, { data: { username, password: 'correct horse' } });
    },
  }),
  pollScene({
    name: 'pending',
    signedOut: true,
    before: (page) => neverResponding(page, '**/vote'),
    act: castVote,
  }),
  pollScene({
    name: 'vote-failed',
    signedOut: true,
    fullPage: false,
    before: (page) => refusing(page, '**/vote', 500, {}),
    async act(page) {
      await castVote(page);
      await page.getByText('Failed to submit vote. Please try again.').first().waitFor();
    },
  }),
  pollScene({
    name: 'stale',
    before: (page, address) => page.route(address, (route) => route.abort()),
    act: async (page) => page.getByRole('alert').getByRole('button').first().waitFor(),
  }),
  pollScene({
    name: 'removed',
    before: (page, address) =>
      page.route(address, (route) => route.fulfill({ status: 404, json: { code: 'POLL_NOT_FOUND', message: '' } })),
    act: async (page) => page.getByRole('heading', { name: 'Poll Not Found' }).waitFor(),
  }),
  pollScene({
    name: 'edit',
    async act(page) {
      await page.getByRole('button', { name: 'Edit Poll' }).click();
      await page.getByLabel('Question').fill('');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.locator('[aria-invalid]').waitFor();
    },
  }),
  pollScene({
    name: 'edited',
    votes: [1],
    before: edit,
    act: (page) => page.getByRole('button', { name: 'Edit Poll' }).click(),
  }),
  pollScene({
    name: 'history',
    votes: [1],
    before: edit,
    async act(page) {
      await page.getByRole('link', { name: /^Edited/ }).click();
      await page.waitForURL('**/history');
    },
  }),
  pollScene({
    name: 'report',
    signedOut: true,
    fullPage: false,
    async act(page) {
      await page.getByRole('button', { name: 'Report poll' }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  pollScene({
    name: 'close',
    fullPage: false,
    act: (page) => page.getByRole('button', { name: 'Close Poll' }).click(),
  }),
  pollScene({
    name: 'delete-failed',
    fullPage: false,
    before: (page, address) => refusing(page, address, 500, {}, 'DELETE'),
    async act(page) {
      await page.getByRole('button', { name: 'Delete Poll' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete Poll' }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  }),
  pollScene({
    name: 'delete',
    fullPage: false,
    act: (page) => page.getByRole('button', { name: 'Delete Poll' }).click(),
  }),
  pollScene({
    name: 'longest',
    poll: {
      question: `${'Long'.repeat(20)} ${'and longer '.repeat(10)}`.slice(0, 200).trim(),
      description: 'A long description, sentence by sentence. '.repeat(50).slice(0, 1_999).trim(),
      options: Array.from({ length: 10 }, (_, at) => ({
        id: `option-${at + 1}`,
        text:
          at % 2 === 0
            ? `Short ${at}`
            : `${at} `.concat('an answer that goes on and on '.repeat(4)).slice(0, 118).trim(),
      })),
    },
    votes: [1],
    signedOut: true,
    act: voteFirst,
  }),
  pollScene({
    name: 'right-to-left',
    poll: { question: 'ما هو أفضل وقت في اليوم للقراءة؟' },
    votes: [2, 1],
    act: voteFirst,
  }),
  pollScene({ name: 'no-javascript', votes: [2, 1], before: postThreeComments, signedOut: true, javaScript: false }),
  pollScene({
    name: 'voted-no-javascript',
    votes: [2, 1],
    signedOut: true,
    javaScript: false,
    act: async (page) => {
      await castVote(page);
      await page.waitForURL('**/voted');
    },
  }),
  { name: 'community-poll-missing', path: () => '/community-polls/there-is-no-such-poll' },
  pollScene({ name: 'print', votes: [4, 2, 1], before: postThreeComments, signedOut: true, print: true }),
  pollScene({
    name: 'print-closed',
    votes: [3, 4, 0],
    async before(page, address) {
      await postThreeComments(page, address);
      await page.request.post(`${address}/close`);
    },
    signedOut: true,
    print: true,
  }),
];

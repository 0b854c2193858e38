import type { Page } from 'playwright';
import type { CommunityPoll, NewCommunityPoll } from '#contract/community-poll.ts';
import { refusing, silent, toTop } from './scene.ts';
import type { Scene } from './scene.ts';

let made = 0;

/** Registers a member outside of the page’s browser and returns the username. */
async function somebody(address: string, firstName: string, lastName: string): Promise<string> {
  const username = `${firstName.toLowerCase()}-${Date.now().toString(36)}-${++made}`;
  await fetch(new URL('/api/register', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'correct horse', firstName, lastName }),
  });
  return username;
}

/** Signs in a new member in the page’s browser, creates a poll, and returns it. */
async function pollOf(page: Page, origin: string, more: Partial<NewCommunityPoll> = {}): Promise<CommunityPoll> {
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
export function onPoll({ name, poll, votes = [], before, act, signedOut = false, ...look }: PollScene): Scene {
  let path = '';
  return {
    name: `community-poll-${name}`,
    ...look,
    async prepare(page, origin) {
      const { id } = await pollOf(page, origin, poll);
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

export const say = (page: Page, address: string, content: string) =>
  page.request.post(`${address}/comments`, { data: { content } });

/** Posts three comments. */
export async function talk(page: Page, address: string): Promise<void> {
  await say(page, address, 'More trees. Everything else follows from shade:\nbenches, people who stay, slower cars.');
  await say(page, address, 'مرحبا، هذا تعليق قصير.');
  await say(page, address, `See https://en.wikipedia.org/wiki/Street_tree. ${'Endless'.repeat(30)}`);
}

async function voteFirst(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await page.getByRole('heading', { name: /Live Results/ }).waitFor();
  await toTop(page);
}

async function cast(page: Page): Promise<void> {
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
}

const secret = { visibility: 'private', question: 'What do we give Carla for her birthday?' } as const;

/** The page of a community poll, in every state. */
export const communityPollScenes: readonly Scene[] = [
  onPoll({ name: 'open', votes: [4, 2, 1], before: talk, signedOut: true }),
  onPoll({ name: 'voted', votes: [4, 2, 1], before: talk, signedOut: true, act: voteFirst }),
  onPoll({ name: 'member', votes: [1, 1, 0], before: talk }),
  onPoll({
    name: 'closed',
    votes: [3, 3, 0],
    before: (page, address) => page.request.post(`${address}/close`),
    signedOut: true,
  }),
  onPoll({
    name: 'upcoming',
    poll: { startsAt: new Date(Date.now() + 2 * 86_400_000).toISOString() },
    signedOut: true,
  }),
  onPoll({ name: 'unlisted', poll: { visibility: 'unlisted' } }),
  onPoll({
    name: 'private',
    poll: secret,
    async before(page, address) {
      const data = { usernameOrEmail: await somebody(address, 'Ben', 'Ito') };
      await page.request.post(`${address}/invites`, { data });
    },
  }),
  onPoll({
    name: 'private-alone',
    poll: secret,
    act: async (page) => {
      await page.getByLabel('Username').fill('nobody-of-this-name');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.locator('[aria-invalid]').waitFor();
      await toTop(page);
    },
  }),
  onPoll({
    name: 'private-invites-failed',
    poll: secret,
    before: (page) => page.route('**/invites', (route) => route.abort()),
    act: async (page) => page.getByText('We can’t show the invitations right now.').waitFor(),
  }),
  onPoll({ name: 'sign-in', poll: secret, signedOut: true }),
  onPoll({
    name: 'denied',
    poll: secret,
    async before(page, address) {
      const username = await somebody(address, 'Ben', 'Ito');
      await page.request.post(new URL('/api/login', address).href, { data: { username, password: 'correct horse' } });
    },
  }),
  onPoll({
    name: 'pending',
    signedOut: true,
    before: (page) => silent(page, '**/vote'),
    act: cast,
  }),
  onPoll({
    name: 'vote-failed',
    signedOut: true,
    fullPage: false,
    before: (page) => refusing(page, '**/vote', 500, {}),
    async act(page) {
      await cast(page);
      await page.getByText('Failed to submit vote. Please try again.').first().waitFor();
    },
  }),
  onPoll({
    name: 'stale',
    before: (page, address) => page.route(address, (route) => route.abort()),
    act: async (page) => page.getByRole('alert').getByRole('button').first().waitFor(),
  }),
  onPoll({
    name: 'removed',
    before: (page, address) =>
      page.route(address, (route) => route.fulfill({ status: 404, json: { code: 'POLL_NOT_FOUND', message: '' } })),
    act: async (page) => page.getByRole('heading', { name: 'Poll Not Found' }).waitFor(),
  }),
  onPoll({
    name: 'close',
    fullPage: false,
    act: (page) => page.getByRole('button', { name: 'Close Poll' }).click(),
  }),
  onPoll({
    name: 'delete-failed',
    fullPage: false,
    before: (page, address) => refusing(page, address, 500, {}, 'DELETE'),
    async act(page) {
      await page.getByRole('button', { name: 'Delete Poll' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete Poll' }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  }),
  onPoll({
    name: 'delete',
    fullPage: false,
    act: (page) => page.getByRole('button', { name: 'Delete Poll' }).click(),
  }),
  onPoll({
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
  onPoll({
    name: 'right-to-left',
    poll: { question: 'ما هو أفضل وقت في اليوم للقراءة؟' },
    votes: [2, 1],
    act: voteFirst,
  }),
  onPoll({ name: 'no-javascript', votes: [2, 1], before: talk, signedOut: true, javaScript: false }),
  { name: 'community-poll-missing', path: () => '/community-polls/there-is-no-such-poll' },
  onPoll({ name: 'print', votes: [4, 2, 1], before: talk, signedOut: true, print: true }),
  onPoll({
    name: 'print-closed',
    votes: [3, 4, 0],
    async before(page, address) {
      await talk(page, address);
      await page.request.post(`${address}/close`);
    },
    signedOut: true,
    print: true,
  }),
];

import type { Page } from 'playwright';
import type { HistoricalPage, PollCard } from '#api/polls/polls.contract.ts';
import { operatorPassword } from './installation.ts';
import { openPolls } from './page-helpers.ts';

/** One picture of the gallery: its page and what happens before. */
export interface Scene {
  readonly name: string;
  path(origin: string): Promise<string> | string;
  /** Runs before the page is opened: routes, storage. */
  prepare?(page: Page, origin: string): Promise<unknown>;
  /** Runs when the page has loaded: clicks, scrolling. */
  act?(page: Page): Promise<unknown>;
  readonly javaScript?: boolean;
  readonly fullPage?: boolean;
  /** Taken as printed, at the width of paper. */
  readonly print?: boolean;
  /** The URL is a picture, not a page. */
  readonly picture?: boolean;
  /** It shows a request that never ends. */
  readonly busy?: boolean;
  /** Taken from a site service whose API does not respond. */
  readonly api?: 'down';
}

/** All closed polls of an installation. */
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

/** The URL of the first matching report; `under` is a path before it. */
export function report(matches: (poll: PollCard, all: readonly PollCard[]) => boolean, under = '') {
  return async (origin: string) => {
    const all = await archive(origin);
    const found = all.find((poll) => matches(poll, all));
    if (!found) throw new Error('The demonstration data has no poll for this scene.');
    return `${under}/poll/${found.id}`;
  };
}

/** Whether a report has every part. */
export const fullReport = (poll: PollCard) => poll.options.length > 3 && poll.totalVotes > 100;

/** The URL of an open poll. */
export const openPoll = async (origin: string) => `/poll/${(await openPolls(origin))[0]!.id}`;

/** Every API request fails, as without a network. */
export const offline = async (page: Page) => page.route('**/api/**', (route) => route.abort());

/** Matching requests never get a response. */
export const neverResponding = async (page: Page, calls: string) =>
  page.route(calls, () => new Promise<void>(() => undefined));

/** Scrolls to the top, where a full-page picture starts. */
export const scrollToTop = async (page: Page) => page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));

/** Signs in a new member in the page’s browser. */
export async function signInNewMember(page: Page, origin: string): Promise<void> {
  const username = `member-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  await page.request.post(`${origin}/api/register`, { data: { username, password: 'correct horse' } });
}

/** Opens the admin pages with the shared password, and waits for what the page shows. */
export async function signInToAdmin(page: Page): Promise<void> {
  await page.getByLabel('Admin password').fill(operatorPassword);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  // The notification would cover a part of the picture.
  await page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button')
    .first()
    .click();
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
}

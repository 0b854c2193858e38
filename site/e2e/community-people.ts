import type { Browser, Page } from 'playwright/test';
import type { CommunityPoll, NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { expect } from './fixtures.ts';

let count = 0;

/** A person with their own browser. */
export interface Person {
  readonly page: Page;
  /** Null without an account. */
  readonly username: string | null;
  readonly name: string;
  /** Errors in the browser, including refused pages. */
  readonly faults: string[];
}

/** Opens a browser; with a first name, for a new, signed-in member. */
export async function newPerson(browser: Browser, firstName: string | null, options = {}): Promise<Person> {
  const page = await (await browser.newContext(options)).newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  if (firstName === null) return { page, username: null, name: '', faults };
  const username = `${firstName.toLowerCase()}-${Date.now().toString(36)}-${++count}`;
  const data = { username, password: 'correct horse', firstName, lastName: 'Vane' };
  expect((await page.request.post('/api/register', { data })).status()).toBe(201);
  return { page, username, name: `${firstName} Vane`, faults };
}

/** Creates a poll as a member, without the form. */
export async function createPoll(creator: Person, more: Partial<NewCommunityPoll> = {}): Promise<CommunityPoll> {
  const data: NewCommunityPoll = {
    question: `Tea or coffee, asks ${creator.username}?`,
    description: 'At work.',
    visibility: 'public',
    category: 'Lifestyle',
    options: ['Tea', 'Coffee', 'Water'].map((text, index) => ({ id: `option-${index + 1}`, text })),
    ...more,
  };
  const response = await creator.page.request.post('/api/community-polls', { data });
  expect(response.status()).toBe(201);
  return (await response.json()) as CommunityPoll;
}

/** Posts a comment as a member, without the form. */
export async function postComment(author: Person, poll: CommunityPoll, content: string): Promise<void> {
  const response = await author.page.request.post(`/api/community-polls/${poll.id}/comments`, { data: { content } });
  expect(response.status()).toBe(201);
}

export const urlOf = (poll: CommunityPoll) => `/community-polls/${poll.id}`;

/** Votes for an option on the open page and waits for the results. */
export async function vote(page: Page, option: string): Promise<void> {
  await page.getByRole('radio', { name: option }).check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(page.getByRole('heading', { name: 'Vote Submitted - Live Results' })).toBeVisible();
}

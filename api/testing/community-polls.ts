import { optionOrderHeader } from '#contract/vocabulary.ts';
import { expect } from 'vitest';
import type { CommunityPoll, NewCommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Member, Visitor } from './people.ts';

/** A response with its JSON body; null if there is none. */
export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** Makes a call and reads the response. */
export async function ask<T = ErrorBody>(
  browser: Visitor,
  path: string,
  method = 'GET',
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<T>> {
  const response = await browser.fetch(path, { method, headers, ...(json !== undefined && { json }) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    body: (text === '' ? null : isJson ? JSON.parse(text) : text) as T,
    headers: response.headers,
  };
}

/** The form data of a poll with two options. */
export const newPoll = {
  question: 'Tea or coffee?',
  description: 'In the morning.',
  visibility: 'public',
  category: 'Lifestyle',
  options: [
    { id: 'option-1', text: 'Tea', votes: 0 },
    { id: 'option-2', text: 'Coffee', votes: 0 },
  ],
  startsAt: null,
  endsAt: null,
} as const satisfies NewCommunityPoll;

/** Creates a community poll as this member. */
export async function made(member: Member, more: Partial<NewCommunityPoll> = {}): Promise<CommunityPoll> {
  const { status, body } = await ask<CommunityPoll>(member, '/api/community-polls', 'POST', { ...newPoll, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Casts a vote on a community poll from this browser. */
export async function castVote(browser: Visitor, pollId: string, optionId = 'option-1') {
  const body = { optionId, voterFingerprint: browser.device };
  // As scripts of the site send it that show the options in an order of the browser’s own.
  const headers = { [optionOrderHeader]: 'random' };
  return ask<CommunityPoll & ErrorBody>(browser, `/api/community-polls/${pollId}/vote`, 'POST', body, headers);
}

/** Invites a member, by username or any other value, to this member’s poll. */
export async function invited(host: Member, pollId: string, usernameOrEmail: string): Promise<void> {
  const { status } = await ask(host, `/api/community-polls/${pollId}/invites`, 'POST', { usernameOrEmail });
  expect(status, `inviting ${usernameOrEmail}`).toBe(201);
}

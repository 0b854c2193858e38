import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OperatorRole } from '#contract/vocabulary.ts';
import { adminMember } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { PollList } from './PollList.tsx';
import PollsPage from './PollsPage.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(() => {
  const poll = {
    ...{ id: 'tea', question: 'Tea or coffee?', state: 'open', category: null, totalVotes: 3, votesHere: 3 },
    ...{ startsAt: null, endsAt: null, closedAt: null, changes: null, demonstration: true, previewToken: 'token' },
  };
  const list = { polls: [poll], page: 1, pages: 1, total: 1, demonstration: 1 };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(list)));
  history.replaceState(null, '', '/admin/polls');
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminMember.set(null);
  vi.unstubAllGlobals();
});

test.each<[OperatorRole, boolean, boolean]>([
  ['moderator', false, false],
  ['editor', true, false],
  ['owner', true, true],
])('the list of polls offers %s only what the role may do', async (role, edits, removes) => {
  adminMember.set({ name: 'olga', role, member: true });
  render(<PollList />);
  await screen.findByText('Tea or coffee?');
  const offered = (name: RegExp) => screen.queryByRole('button', { name }) !== null;
  expect([offered(/^New poll/), offered(/^Remove/)]).toEqual([edits, removes]);
  expect(screen.queryByRole('link', { name: /^Edit/ }) !== null).toBe(edits);
  expect(screen.queryByRole('link', { name: 'Tea or coffee?' }) !== null).toBe(edits);
});

test('a link to the editor says to a moderator whose page that is', () => {
  adminMember.set({ name: 'mo', role: 'moderator', member: true });
  history.replaceState(null, '', '/admin/polls?poll=tea');
  render(<PollsPage />);
  expect(
    screen.getByText('This page is for editors and owners. Ask an owner of this site if you need it.'),
  ).toBeTruthy();
});

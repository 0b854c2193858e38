import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PollProblem } from './PollProblem.tsx';
import type { PollProblemKind } from '#site/polls/voting/use-poll.ts';

afterEach(cleanup);

const path = '/community-polls/p1';
const show = (kind: PollProblemKind) => {
  render(<PollProblem kind={kind} path={path} />);
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  return [screen.getByRole('heading', { level: 1 }).textContent, screen.getByText(/\.$/).textContent, ...links];
};
const back = ['Back to Community Polls', '/community-polls'];

test('[S2.92 S2.102 S7.26 S8.17] a private poll asks readers without an account to log in, with links there and back', () => {
  expect(show('signIn')).toEqual([
    'Authentication Required',
    'This is a private poll that requires you to be logged in to view it.',
    ['Log In', `/api/login?next=${encodeURIComponent(path)}`],
    back,
  ]);
});

test('[S2.102 S8.18] a private poll tells uninvited members that they can’t see it', () => {
  expect(show('denied')).toEqual([
    'Access Denied',
    "You don't have permission to view this private poll. Only the poll creator and invited users can access it.",
    back,
  ]);
});

test('[S2.102 S8.19] a missing community poll says so', () => {
  expect(show('notFound')).toEqual([
    'Poll Not Found',
    "The poll you're looking for doesn't exist or may have been removed.",
    back,
  ]);
});

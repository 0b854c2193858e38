import { expect, test } from 'vitest';
import { progressOf } from './poll-order.ts';

const poll = (id: string, hasVoted: boolean, isActive = true) => ({ id, hasVoted, isActive });

test('the next poll is the first unanswered one after this, then from the beginning', () => {
  const polls = [poll('a', false), poll('b', true), poll('c', true), poll('d', false)];
  expect(progressOf(polls, 'b')).toEqual({ answered: 2, next: 'd' });
  expect(progressOf(polls, 'd')).toEqual({ answered: 2, next: 'a' });
});

test('a closed poll is not next, and after the last answer nothing is', () => {
  expect(progressOf([poll('a', true), poll('b', false, false)], 'a')).toEqual({ answered: 1, next: null });
  expect(progressOf([poll('a', true), poll('b', true)], 'a')).toEqual({ answered: 2, next: null });
  expect(progressOf([poll('a', false)], 'unlisted')).toEqual({ answered: 0, next: 'a' });
});

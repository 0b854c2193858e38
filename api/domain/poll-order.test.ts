import { describe, expect, test } from 'vitest';
import { byWorthAnswering, inOrderOf, progressOf } from './poll-order.ts';

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

describe('open polls are listed', () => {
  const now = Date.parse('2026-11-20T08:00:00.000Z');
  const open = (id: string, more: { votes?: number; ends?: string; starts?: string; hasVoted?: boolean } = {}) => ({
    id,
    totalVotes: more.votes ?? 0,
    startsAt: `2026-11-${more.starts ?? '10'}T08:00:00.000Z`,
    endsAt: `2026-11-${more.ends ?? '29'}T08:00:00.000Z`,
    hasVoted: more.hasVoted ?? false,
  });
  const ids = (...polls: ReturnType<typeof open>[]) => byWorthAnswering(polls, now).map(({ id }) => id);

  test('first if they close within two days, the next to close before others', () => {
    const [busy, later] = [open('busy', { votes: 900 }), open('later', { votes: 999, ends: '23' })];
    expect(ids(busy, later, open('b', { ends: '22' }), open('a', { ends: '21' }))).toEqual(['a', 'b', 'later', 'busy']);
  });

  test('by votes per day since they opened, new ones counting as a day old', () => {
    expect(ids(open('old', { votes: 500 }), open('new', { votes: 60, starts: '20' }))).toEqual(['new', 'old']);
    expect(ids(open('new', { votes: 40, starts: '20' }), open('old', { votes: 500 }))).toEqual(['old', 'new']);
  });

  test('newest first if nothing else distinguishes them, then by id', () => {
    expect(ids(open('b'), open('a'), open('new', { starts: '15' }))).toEqual(['new', 'a', 'b']);
  });

  test('last once this visitor has answered them, however soon they close', () => {
    expect(ids(open('answered', { ends: '21', hasVoted: true }), open('open'))).toEqual(['open', 'answered']);
  });

  test('where they were on an open page, with new ones at the end', () => {
    const polls = [open('new'), open('b'), open('a', { hasVoted: true })];
    expect(inOrderOf(['a', 'b', 'gone'], polls).map(({ id }) => id)).toEqual(['a', 'b', 'new']);
  });
});

import { describe, expect, test } from 'vitest';
import { ApiError } from '#site/client/api.ts';
import type { AnyPoll } from './ballot.ts';
import { nextRefetchDelay, problemOf } from './use-poll.ts';

const now = Date.parse('2026-11-21T08:00:00.000Z');
const open = { visibility: 'public', isActive: true, closedAt: null } as AnyPoll;
const closed = { ...open, isActive: false, closedAt: '2026-11-21T07:00:00.000Z' };
const weekly = { isActive: true, closedAt: null } as AnyPoll;
const away = new ApiError(0, 'no response', { code: 'API_UNREACHABLE' });

describe('the refetch delay', () => {
  const after = (poll: AnyPoll, spread = 0.5) =>
    nextRefetchDelay({ data: poll, error: null, dataUpdatedAt: now, errorUpdatedAt: 0 }, spread);
  const failing = (seconds: number) =>
    nextRefetchDelay({ data: open, error: away, dataUpdatedAt: now, errorUpdatedAt: now + seconds * 1000 }, 0.5);

  test('is five seconds while the poll is open and thirty once it is closed', () => {
    expect(after(open)).toBe(5_000);
    expect(after(closed)).toBe(30_000);
  });

  test('of a weekly poll is thirty seconds on every page, and ends when it closes', () => {
    expect([after(weekly, 0), after(weekly, 0.99)]).toEqual([30_000, 30_000]);
    expect(after({ ...weekly, isActive: false })).toBe(false);
  });

  test('varies per page, so a thousand pages don’t refetch at once', () => {
    expect([after(open, 0), after(open, 0.99)]).toEqual([4_000, 5_980]);
  });

  test('during an outage equals its duration, up to a minute', () => {
    expect([failing(1), failing(8), failing(30), failing(600)]).toEqual([5_000, 8_000, 30_000, 60_000]);
  });

  test('ends when the poll is no longer accessible', () => {
    const gone = new ApiError(404, '', { code: 'POLL_NOT_FOUND' });
    expect(nextRefetchDelay({ data: open, error: gone, dataUpdatedAt: now, errorUpdatedAt: now }, 0.5)).toBe(false);
  });
});

test('[S7.21 S8.17 S8.18 S8.19] a refusal explains why the poll isn’t shown, by its code or else by its status', () => {
  expect(problemOf(new ApiError(401, '', { code: 'PRIVATE_POLL_AUTH_REQUIRED' }))).toBe('signIn');
  expect(problemOf(new ApiError(401, '', undefined))).toBe('signIn');
  expect(problemOf(new ApiError(403, '', { code: 'PRIVATE_POLL_ACCESS_DENIED' }))).toBe('denied');
  expect(problemOf(new ApiError(403, '', undefined))).toBe('denied');
  expect(problemOf(new ApiError(404, '', { code: 'POLL_NOT_FOUND' }))).toBe('notFound');
});

test('[S8.19] a failure of the service or the network says nothing about the poll', () => {
  for (const error of [
    null,
    away,
    new ApiError(404, '<html>', undefined),
    new ApiError(429, '', undefined),
    new Error(),
  ])
    expect(problemOf(error)).toBeNull();
});

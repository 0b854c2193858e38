import { describe, expect, test } from 'vitest';
import { closedMoment, lifespanOf, phaseOf } from './poll-lifecycle.ts';

const week = { isActive: true, startsAt: 1_000, endsAt: 2_000, closedAt: null };

describe('phaseOf', () => {
  test('[S2.38] a poll is open from its first millisecond to the one before its end', () => {
    expect(phaseOf(week, 999)).toBe('upcoming');
    expect(phaseOf(week, 1_000)).toBe('open');
    expect(phaseOf(week, 1_999)).toBe('open');
    expect(phaseOf(week, 2_000)).toBe('closed');
  });

  test('[S2.38] an inactive poll is closed from its start on, a manually closed one at any time', () => {
    expect(phaseOf({ ...week, isActive: false }, 1_500)).toBe('closed');
    expect(phaseOf({ ...week, closedAt: 1_200 }, 1_100)).toBe('closed');
    expect(phaseOf({ ...week, isActive: false }, 500)).toBe('upcoming');
    expect(phaseOf({ ...week, isActive: false, closedAt: 400 }, 500)).toBe('closed');
  });

  test('a ballot without an end stays open', () => {
    expect(phaseOf({ ...week, endsAt: null }, Number.MAX_SAFE_INTEGER)).toBe('open');
  });
});

describe('closedMoment', () => {
  test('is the recorded time if it is before the end, otherwise the end', () => {
    expect(closedMoment({ ...week, closedAt: 1_200 }, 5_000)).toBe(1_200);
    expect(closedMoment(week, 2_000)).toBe(2_000);
  });

  test('is unknown for an open poll and for one deactivated without a recorded time', () => {
    expect(closedMoment(week, 1_999)).toBeNull();
    expect(closedMoment({ ...week, isActive: false }, 1_500)).toBeNull();
  });
});

test('times are texts in the contract and milliseconds in the rules', () => {
  const span = lifespanOf({
    isActive: true,
    startsAt: '2026-11-16T08:00:00.000Z',
    endsAt: '2026-11-23T08:00:00.000Z',
    closedAt: null,
  });
  expect(span.endsAt! - span.startsAt).toBe(7 * 86_400_000);
  expect(span.closedAt).toBeNull();
});

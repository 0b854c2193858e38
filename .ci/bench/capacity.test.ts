import { expect, test } from 'vitest';
import { areRowsLimiting, byLockedRows, byProcessors, lockedMs, lockShares, processesFor } from './capacity.ts';

test('sixteen cores record as many votes per second as they have processor time for', () => {
  expect(byProcessors(16, 40)).toBe(400_000);
});

test('batches that wait for each other’s row are seen as one at work and the others waiting', () => {
  const serial = [
    { working: 1, waiting: 3 },
    { working: 1, waiting: 2 },
    { working: 0, waiting: 0 },
    { working: 1, waiting: 3 },
  ];
  expect(lockShares(serial)).toEqual({ busy: 0.75, atOnce: 1, waiting: 2 });
  const parallel = serial.map(({ working, waiting }) => ({ working: working + waiting, waiting: 0 }));
  expect(lockShares(parallel)).toEqual({ busy: 0.75, atOnce: 11 / 3, waiting: 0 });
  expect(lockShares([])).toEqual({ busy: 0, atOnce: 0, waiting: 0 });
});

const load = { votesPerBatch: 50, votesPerSecond: 5_000, busy: 0.5, atOnce: 1, waiting: 0, cpu: 40, queued: 0 };

test('a poll whose row is locked half of the time takes twice the votes', () => {
  expect(lockedMs(load)).toBe(5);
  expect(byLockedRows(load)).toBe(10_000);
});

test('two batches recorded at once keep their rows locked twice as long for the same votes', () => {
  const parallel = { ...load, atOnce: 2 };
  expect(lockedMs(parallel)).toBe(10);
  expect(byLockedRows(parallel)).toBe(10_000);
});

test('time spent waiting for a busy processor is not counted as time of the row, but its own processor time is', () => {
  expect(byLockedRows({ ...load, queued: 50 })).toBe(20_000);
  expect(byLockedRows({ ...load, queued: 90 })).toBe(25_000);
});

test('rows are a limit if a fifth of the batches in the database wait for one', () => {
  expect(areRowsLimiting({ busy: 1, atOnce: 1, waiting: 3 })).toBe(true);
  expect(areRowsLimiting({ busy: 1, atOnce: 3.5, waiting: 0.5 })).toBe(false);
  expect(areRowsLimiting({ busy: 0.2, atOnce: 1, waiting: 0 })).toBe(false);
});

test('the API processes needed for a number of votes per second follow from the time of one event loop', () => {
  expect(processesFor(100_000, 45)).toBe(5);
  expect(processesFor(10_000, 45)).toBe(1);
});

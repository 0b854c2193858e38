import { expect, test } from 'vitest';
import { areRowsLimiting, byLockedRows, byProcessors, lockShares, processesFor } from './capacity.ts';

test('sixteen cores record as many votes per second as they have processor time for', () => {
  expect(byProcessors(16, 40)).toBe(400_000);
});

test('batches that wait for each other’s row are seen as one at work and the others waiting', () => {
  const serial = [
    { working: 1, waiting: 3, locked: 1 },
    { working: 1, waiting: 2, locked: 0 },
    { working: 0, waiting: 0, locked: 0 },
    { working: 1, waiting: 3, locked: 1 },
  ];
  expect(lockShares(serial)).toEqual({ busy: 0.75, atOnce: 1, waiting: 2, locked: 0.5 });
  const parallel = serial.map(({ working, waiting }) => ({ working: working + waiting, waiting: 0, locked: 0 }));
  expect(lockShares(parallel)).toEqual({ busy: 0.75, atOnce: 11 / 3, waiting: 0, locked: 0 });
  expect(lockShares([])).toEqual({ busy: 0, atOnce: 0, waiting: 0, locked: 0 });
});

test('a poll whose row is locked half of the time takes twice the votes', () => {
  expect(byLockedRows({ votesPerSecond: 5_000, locked: 0.5 })).toBe(10_000);
  expect(byLockedRows({ votesPerSecond: 5_000, locked: 0 })).toBe(Infinity);
});

test('rows are a limit if a fifth of the batches in the database wait for one', () => {
  expect(areRowsLimiting({ busy: 1, atOnce: 1, waiting: 3, locked: 1 })).toBe(true);
  expect(areRowsLimiting({ busy: 1, atOnce: 3.5, waiting: 0.5, locked: 1 })).toBe(false);
  expect(areRowsLimiting({ busy: 0.2, atOnce: 1, waiting: 0, locked: 1 })).toBe(false);
});

test('the API processes needed for a number of votes per second follow from the time of one event loop', () => {
  expect(processesFor(100_000, 45)).toBe(5);
  expect(processesFor(10_000, 45)).toBe(1);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { within } from './within.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an answer in time is the answer, and so is a failure', async () => {
  await expect(within(2_000, Promise.resolve('here'))).resolves.toBe('here');
  await expect(within(2_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever does not answer in time is not waited for, and may fail later without a word', async () => {
  const late = Promise.withResolvers<string>();
  const asked = expect(within(2_000, late.promise)).rejects.toThrow('There was no response within 2000 ms.');
  await vi.advanceTimersByTimeAsync(2_000);
  await asked;
  late.reject(new Error('broken'));
  await vi.advanceTimersByTimeAsync(1);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTimeout } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a result or failure before the timeout is returned', async () => {
  await expect(withTimeout(2_000, Promise.resolve('here'))).resolves.toBe('here');
  await expect(withTimeout(2_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('after the timeout the call is rejected, and a later failure is ignored', async () => {
  const late = Promise.withResolvers<string>();
  const asked = expect(withTimeout(2_000, late.promise)).rejects.toThrow('There was no response within 2000 ms.');
  await vi.advanceTimersByTimeAsync(2_000);
  await asked;
  late.reject(new Error('broken'));
  await vi.advanceTimersByTimeAsync(1);
});

import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';

afterEach(() => queryClient().clear());

test('neither a read nor a write that fails is tried again by itself', async () => {
  const ask = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('away'));
  await expect(queryClient().query({ queryKey: ['read'], queryFn: ask })).rejects.toThrow('away');
  expect(ask).toHaveBeenCalledTimes(1);
  const write = queryClient().getMutationCache().build(queryClient(), { mutationFn: ask });
  await expect(write.execute(undefined)).rejects.toThrow('away');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('what was read is out of date at once, forgotten when nobody shows it, and not asked for at the return to a window', async () => {
  const ask = vi.fn(() => Promise.resolve('answer'));
  const options = { queryKey: ['read'], queryFn: ask };
  const stop = new QueryObserver(queryClient(), options).subscribe(() => undefined);
  await vi.waitFor(() => expect(queryClient().getQueryData(['read'])).toBe('answer'));
  expect(
    queryClient()
      .getQueryCache()
      .find({ queryKey: ['read'] })
      ?.isStale(),
  ).toBe(true);
  window.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('focus'));
  await Promise.resolve();
  expect(ask).toHaveBeenCalledTimes(1);
  stop();
  await vi.waitFor(() => expect(queryClient().getQueryData(['read'])).toBeUndefined());
});

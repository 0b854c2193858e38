import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';

afterEach(() => queryClient().clear());

test('[S7.5 S7.27] failed reads and writes are not retried automatically', async () => {
  const ask = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('away'));
  await expect(queryClient().query({ queryKey: ['read'], queryFn: ask })).rejects.toThrow('away');
  expect(ask).toHaveBeenCalledTimes(1);
  const write = queryClient().getMutationCache().build(queryClient(), { mutationFn: ask });
  await expect(write.execute(undefined)).rejects.toThrow('away');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('[S7.27] data is stale at once, dropped when unused, and not refetched on window focus', async () => {
  const ask = vi.fn(() => Promise.resolve('answer'));
  const options = { queryKey: ['read'], queryFn: ask };
  const stop = new QueryObserver(queryClient(), options).subscribe(() => undefined);
  await vi.waitFor(() => expect(queryClient().getQueryData(['read'])).toBe('answer'), { timeout: 20_000 });
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
  await vi.waitFor(() => expect(queryClient().getQueryData(['read'])).toBeUndefined(), { timeout: 20_000 });
});

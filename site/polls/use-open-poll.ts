import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** Whether the server has said that a poll is over; the browser's clock has no say in it. */
export function isClosed(poll: Pick<Poll, 'isActive' | 'closedAt'>): boolean {
  return !poll.isActive || poll.closedAt !== null;
}

/** One open poll as this voter sees it, looked at again every 30 s until it closes. */
export function useOpenPoll(initial: Poll, publishedAt: string) {
  return useQuery<Poll>(
    {
      queryKey: queryKeys.poll(initial.id),
      queryFn: ({ signal }) => callApi('poll', { params: { id: initial.id }, signal }),
      initialData: initial,
      initialDataUpdatedAt: Date.parse(publishedAt),
      staleTime: limits.pollRefetchMs,
      // A page that was rendered on demand is fresh, but knows nothing of this voter.
      refetchOnMount: 'always',
      refetchInterval: ({ state }) => (state.data && isClosed(state.data) ? false : limits.pollRefetchMs),
    },
    queryClient(),
  );
}

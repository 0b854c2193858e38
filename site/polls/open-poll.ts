import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';

/** One open poll as this viewer sees it, refetched every 30 seconds until it closes. */
export function useOpenPoll(initial: Poll, publishedAt: string) {
  const read = (signal: AbortSignal): Promise<Poll> => callApi('poll', { params: { id: initial.id }, signal });
  const early = useEarlyRead('poll', read, initial, publishedAt);
  return useQuery<Poll>(
    {
      queryKey: queryKeys.poll(initial.id),
      ...early,
      staleTime: limits.pollRefetchMs,
      refetchInterval: ({ state }) => (state.data && isClosed(state.data) ? false : limits.pollRefetchMs),
    },
    queryClient(),
  );
}

/** Today’s polls as this viewer sees them; `initial` are the published ones. */
export function useActivePolls(initial: readonly Poll[], publishedAt: string) {
  const read = (signal: AbortSignal): Promise<readonly Poll[]> => callApi('activePolls', { signal });
  // A page published without polls shows placeholders, because there may be some by now.
  const early = useEarlyRead('activePolls', read, initial.length > 0 ? initial : undefined, publishedAt);
  return useQuery<readonly Poll[]>({ queryKey: queryKeys.activePolls, ...early }, queryClient());
}

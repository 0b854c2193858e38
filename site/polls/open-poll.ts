import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { takeRead } from '#site/client/early-reads.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { isClosed } from '#site/voting/ballot.ts';

/** One open poll as this viewer sees it, refetched every 30 seconds until it closes. */
export function useOpenPoll(initial: Poll, publishedAt: string) {
  const [early] = useState(() => takeRead<Poll>('poll'));
  return useQuery<Poll>(
    {
      queryKey: queryKeys.poll(initial.id),
      queryFn: ({ signal }) => early?.take() ?? callApi('poll', { params: { id: initial.id }, signal }),
      initialData: early?.data ?? initial,
      initialDataUpdatedAt: early?.data ? early.at : Date.parse(publishedAt),
      staleTime: limits.pollRefetchMs,
      // The rendered page knows nothing about this voter.
      refetchOnMount: early?.data ? false : 'always',
      refetchInterval: ({ state }) => (state.data && isClosed(state.data) ? false : limits.pollRefetchMs),
    },
    queryClient(),
  );
}

/** Today’s polls as this viewer sees them; `initial` are the published ones. */
export function useActivePolls(initial: readonly Poll[], publishedAt: string) {
  const [early] = useState(() => takeRead<readonly Poll[]>('activePolls'));
  return useQuery<readonly Poll[]>(
    {
      queryKey: queryKeys.activePolls,
      queryFn: ({ signal }) => early?.take() ?? callApi('activePolls', { signal }),
      ...(early?.data !== undefined
        ? { initialData: early.data, initialDataUpdatedAt: early.at, refetchOnMount: false }
        : // A page published without polls shows placeholders, because there may be some by now.
          initial.length > 0 && { initialData: initial, initialDataUpdatedAt: Date.parse(publishedAt) }),
    },
    queryClient(),
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import type { CommunityPollProblemKind } from './load-community-poll.ts';

/** Whether the server has said that a poll is over; the browser's clock has no say in it. */
export function isClosed(poll: Pick<CommunityPoll, 'isActive' | 'closedAt'>): boolean {
  return !poll.isActive || poll.closedAt !== null;
}

/** Why a poll may not be shown (any more), or null where the failure says nothing about the poll. */
export function problemOf(error: Error | null): Exclude<CommunityPollProblemKind, 'unavailable'> | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'PRIVATE_POLL_AUTH_REQUIRED' || error.status === 401) return 'signIn';
  if (error.code === 'PRIVATE_POLL_ACCESS_DENIED' || error.status === 403) return 'denied';
  return error.code === 'POLL_NOT_FOUND' ? 'notFound' : null;
}

interface Looked {
  readonly data: CommunityPoll | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

/**
 * Milliseconds until the next look, or false when there is nothing more to see. While the service does not answer, each
 * wait is as long as the time since the last answer, up to a minute. `spread`: 0 to 1, another one for each page.
 */
export function nextLook({ data, error, dataUpdatedAt, errorUpdatedAt }: Looked, spread: number): number | false {
  if (problemOf(error) !== null) return false;
  const regular = data && isClosed(data) ? limits.communityClosedRefetchMs : limits.communityRefetchMs;
  const wait = error === null ? regular : Math.max(regular, errorUpdatedAt - dataUpdatedAt);
  const factor = 1 + limits.communityRefetchSpread * (2 * spread - 1);
  return Math.round(Math.min(wait, limits.communityRefetchMaxMs) * factor);
}

/** One community poll as this person sees it, looked at again and again while the page is in view (decision 065). */
export function useCommunityPoll(initial: CommunityPoll, readAt: string) {
  const [spread] = useState(Math.random);
  return useQuery<CommunityPoll>(
    {
      queryKey: queryKeys.communityPoll(initial.id),
      queryFn: ({ signal }) => callApi('communityPoll', { params: { id: initial.id }, signal }),
      initialData: initial,
      initialDataUpdatedAt: Date.parse(readAt),
      // The page knows nothing of this voter.
      refetchOnMount: 'always',
      refetchOnWindowFocus: ({ state }) => (problemOf(state.error) === null ? 'always' : false),
      refetchInterval: ({ state }) => nextLook(state, spread),
    },
    queryClient(),
  );
}

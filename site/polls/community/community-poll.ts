import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';

/** Why a community poll is not shown. */
export type CommunityPollProblemKind = 'signIn' | 'denied' | 'notFound' | 'unavailable';

/** Why a poll can no longer be shown; null if the failure says nothing about the poll. */
export function problemOf(error: Error | null): Exclude<CommunityPollProblemKind, 'unavailable'> | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'PRIVATE_POLL_AUTH_REQUIRED' || error.status === 401) return 'signIn';
  if (error.code === 'PRIVATE_POLL_ACCESS_DENIED' || error.status === 403) return 'denied';
  return error.code === 'POLL_NOT_FOUND' ? 'notFound' : null;
}

interface RefetchState {
  readonly data: CommunityPoll | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

/**
 * Milliseconds until the next refetch, or false if the poll is gone. During an outage, each delay equals the time since
 * the last response, up to a minute. `spread`: a random number from 0 to 1, so pages don’t refetch in step.
 */
export function nextRefetchDelay(
  { data, error, dataUpdatedAt, errorUpdatedAt }: RefetchState,
  spread: number,
): number | false {
  if (problemOf(error) !== null) return false;
  const regular = data && isClosed(data) ? limits.communityClosedRefetchMs : limits.communityRefetchMs;
  const wait = error === null ? regular : Math.max(regular, errorUpdatedAt - dataUpdatedAt);
  const factor = 1 + limits.communityRefetchSpread * (2 * spread - 1);
  return Math.round(Math.min(wait, limits.communityRefetchMaxMs) * factor);
}

/** One community poll as this viewer sees it, polled while the page is visible (decision 065). */
export function useCommunityPoll(initial: CommunityPoll, readAt: string) {
  const [spread] = useState(Math.random);
  const read = (signal: AbortSignal): Promise<CommunityPoll> =>
    callApi('communityPoll', { params: { id: initial.id }, signal });
  const early = useEarlyRead('communityPoll', read, initial, readAt);
  return useQuery<CommunityPoll>(
    {
      queryKey: queryKeys.communityPoll(initial.id),
      ...early,
      refetchOnWindowFocus: ({ state }) => (problemOf(state.error) === null ? 'always' : false),
      refetchInterval: ({ state }) => nextRefetchDelay(state, spread),
    },
    queryClient(),
  );
}

/** Options of a query for what only the creator sees and others change: it is read as often as the poll. */
export const sharedWithOthers = {
  refetchOnWindowFocus: 'always',
  refetchInterval: limits.communityRefetchMs,
} as const;

/** Replaces the cached poll, so every part of the page shows it. */
export function setPollInCache(poll: CommunityPoll): Promise<void> {
  return updateCached<CommunityPoll>(queryKeys.communityPoll(poll.id), ({ commentCount }) => ({
    ...poll,
    // Vote responses may be a few seconds old; the comment count must not go backwards.
    commentCount,
  }));
}

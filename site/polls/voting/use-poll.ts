import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { VoteStatus } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import { ballotTexts } from '#texts/voting.ts';
import { readPoll, refetchMs } from './read-poll.ts';
import type { AnyPoll } from './ballot.ts';
import { isClosed, isCommunity } from './ballot.ts';

/** Why a poll is not shown. */
export type PollProblemKind = 'signIn' | 'denied' | 'notFound' | 'unavailable';

/** Why a poll can no longer be shown; null if the failure says nothing about the poll. */
export function problemOf(error: Error | null): Exclude<PollProblemKind, 'unavailable'> | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'PRIVATE_POLL_AUTH_REQUIRED' || error.status === 401) return 'signIn';
  if (error.code === 'PRIVATE_POLL_ACCESS_DENIED' || error.status === 403) return 'denied';
  return error.code === 'POLL_NOT_FOUND' || error.code === 'POLL_DELETED' ? 'notFound' : null;
}

interface RefetchState {
  readonly data: AnyPoll | undefined;
  readonly error: Error | null;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

/** Milliseconds until the next read; false if the poll is gone, or has a report that replaces the page. `spread`: see read-poll.ts. */
export function nextRefetchDelay(
  { data, error, dataUpdatedAt, errorUpdatedAt }: RefetchState,
  spread: number,
): number | false {
  if (data === undefined || problemOf(error) !== null || (isClosed(data) && !isCommunity(data))) return false;
  return refetchMs(data, spread, error === null ? 0 : errorUpdatedAt - dataUpdatedAt);
}

/** A poll of either kind as this viewer sees it, read again while the page is visible (decision 065). */
export function usePoll(initial: AnyPoll, readAt: string) {
  const [spread] = useState(Math.random);
  const { id } = initial;
  const community = isCommunity(initial);
  const early = useEarlyRead('poll', (signal) => readPoll(id, community, signal), initial, readAt);
  const { data, error, isFetching } = useQuery<AnyPoll>(
    {
      queryKey: queryKeys.poll(id),
      ...early,
      refetchOnWindowFocus: ({ state }) => (community && problemOf(state.error) === null ? 'always' : false),
      refetchInterval: ({ state }) => nextRefetchDelay(state, spread),
    },
    queryClient(),
  );
  const status = useVoteStatus(id, community);
  const poll: AnyPoll = status?.hasVoted
    ? {
        ...data,
        hasVoted: true,
        userVote: data.userVote ?? status.optionId ?? null,
        userVotes: data.hasVoted ? data.userVotes : status.optionIds,
      }
    : data;
  return { poll, error, isFetching };
}

/** Whether this voter has voted on a community poll, requested once; undefined until then and on failure. */
function useVoteStatus(id: string, community: boolean): VoteStatus | undefined {
  const read = (signal: AbortSignal): Promise<VoteStatus> =>
    callApi('communityVoteStatus', { params: { id }, query: { fingerprint: deviceId() }, signal });
  const early = useEarlyRead(community ? 'voteStatus' : null, read, undefined);
  const { data } = useQuery<VoteStatus>(
    {
      queryKey: ['voteStatus', id],
      ...early,
      queryFn: (context) =>
        early.queryFn(context).catch((error: unknown) => {
          console.warn(ballotTexts.unreadStatus, error instanceof ApiError ? error.status : error);
          throw error;
        }),
      enabled: community,
    },
    queryClient(),
  );
  return data;
}

/** Options of a query for what only the creator sees and others change: it is read as often as the poll. */
export const sharedWithOthers = {
  refetchOnWindowFocus: 'always',
  refetchInterval: limits.communityRefetchMs,
} as const;

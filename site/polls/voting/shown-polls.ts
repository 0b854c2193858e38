import { useQuery } from '@tanstack/react-query';
import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import type { Poll } from '#api/polls/polls.contract.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import type { AnyPoll } from './ballot.ts';

/** Today’s polls as this viewer sees them; `initial` are the published ones. */
export function useActivePolls(initial: readonly Poll[], publishedAt: string, enabled = true) {
  const read = (signal: AbortSignal): Promise<readonly Poll[]> => callApi('activePolls', { signal });
  // A page published without polls shows placeholders, because there may be some by now.
  const early = useEarlyRead('activePolls', read, initial.length > 0 ? initial : undefined, publishedAt);
  return useQuery<readonly Poll[]>({ queryKey: queryKeys.activePolls, ...early, enabled }, queryClient());
}

/** Shows a poll everywhere on the page. */
export async function setPollInCache(poll: AnyPoll): Promise<void> {
  await updateCached<AnyPoll>(queryKeys.poll(poll.id), ({ commentCount }) => ({
    ...poll,
    // Vote responses may be a few seconds old; the comment count must not go backwards.
    commentCount,
  }));
  // A list that was still loading tells which of the other polls this visitor has voted on.
  const inList = (polls: readonly AnyPoll[]) => polls.map((other) => (other.id === poll.id ? poll : other));
  await updateCached(queryKeys.activePolls, inList, true);
}

/** Id of the poll that was voted on last on this page. */
export const lastVoted = atom<string | null>(null);

/** That id. */
export const useLastVoted = () =>
  useSyncExternalStore(
    (notify) => lastVoted.listen(notify),
    () => lastVoted.get(),
    () => null,
  );

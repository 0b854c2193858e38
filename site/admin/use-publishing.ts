import { useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { Publishing } from '#contract/publishing.ts';
import { queryClient } from '#site/client/query-client.ts';
import { callAdmin } from './admin-session.ts';

export const publishingKey = ['admin', 'publishing'] as const;

const isBusy = ({ builds }: Publishing) => builds.some(({ status }) => status === 'queued' || status === 'running');

/** Where publishing stands; looked at every second while a build waits or runs. */
export function usePublishing() {
  return useQuery(
    {
      queryKey: publishingKey,
      queryFn: ({ signal }) => callAdmin('publishing', { signal }),
      refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? limits.buildLookMs : limits.publishingLookMs),
    },
    queryClient(),
  );
}

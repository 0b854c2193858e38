import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import type { ActivitiesView } from './activities-view.ts';

/** The member's timeline, newest first, a page at a time; what was found before stays until the answer is there. */
export function useActivities({ type, q }: Pick<ActivitiesView, 'type' | 'q'>) {
  return useInfiniteQuery(
    {
      queryKey: queryKeys.activities(type, q),
      queryFn: ({ pageParam, signal }) =>
        callApi('activities', {
          query: {
            limit: limits.activityPageSize,
            ...(type !== null && { type }),
            ...(q !== '' && { q }),
            ...(pageParam !== null && { before: pageParam }),
          },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

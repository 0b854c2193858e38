import { useQuery } from '@tanstack/react-query';
import type { Statistics } from '#contract/statistics.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** The headline figures; `initial` are those of the moment when the page was published. */
export function useStatistics(initial: Statistics, publishedAt: string) {
  return useQuery<Statistics>(
    {
      queryKey: queryKeys.statistics,
      queryFn: ({ signal }) => callApi('statistics', { signal }),
      initialData: initial,
      initialDataUpdatedAt: Date.parse(publishedAt),
    },
    queryClient(),
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Statistics } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';

/** The headline figures; `initial` are those of the moment when the page was published. */
export function useStatistics(initial: Statistics, publishedAt: string) {
  const hydrated = useHydrated();
  const query = useQuery<Statistics>(
    {
      queryKey: queryKeys.statistics,
      queryFn: ({ signal }) => callApi('statistics', { signal }),
      initialData: initial,
      initialDataUpdatedAt: Date.parse(publishedAt),
    },
    queryClient(),
  );
  return hydrated ? query : { ...query, data: initial, isError: false };
}

import { useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** How much the member did on each day of the last year. */
export function useActivityDays() {
  return useQuery(
    { queryKey: queryKeys.activityDays, queryFn: ({ signal }) => callApi('activityDays', { signal }) },
    queryClient(),
  );
}

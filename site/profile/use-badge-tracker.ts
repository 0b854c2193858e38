import { useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** All badges that the member may know of, with how far each is. */
export function useBadgeTracker() {
  return useQuery(
    { queryKey: queryKeys.badges, queryFn: ({ signal }) => callApi('badges', { signal }) },
    queryClient(),
  );
}

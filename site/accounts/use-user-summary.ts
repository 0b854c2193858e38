import { useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** The figures of the progress box, asked for when it is `shown`, and anew each time. */
export function useUserSummary(shown: boolean) {
  return useQuery(
    { queryKey: queryKeys.userSummary, queryFn: ({ signal }) => callApi('userSummary', { signal }), enabled: shown },
    queryClient(),
  );
}

import { useQuery } from '@tanstack/react-query';
import { callApi } from './api.ts';
import { queryClient, queryKeys } from './query-client.ts';

/** The member's figures, and badges to tell of; asked for when they are `wanted`, and anew each time. */
export function useUserSummary(wanted: boolean) {
  return useQuery(
    { queryKey: queryKeys.userSummary, queryFn: ({ signal }) => callApi('userSummary', { signal }), enabled: wanted },
    queryClient(),
  );
}

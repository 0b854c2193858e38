import { useQuery } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** The signed-in member with the latest doings and all badges. Only asked for by parts that a member alone sees. */
export function useProfile() {
  return useQuery(
    { queryKey: queryKeys.profile, queryFn: ({ signal }) => callApi('profile', { signal }) },
    queryClient(),
  );
}

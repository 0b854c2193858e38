import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** One page of the polls that the member created, newest first, whoever may see them. */
export function useOwnPolls(page: number) {
  return useQuery(
    {
      queryKey: queryKeys.ownPolls(page),
      queryFn: ({ signal }) =>
        callApi('communityPolls', {
          query: {
            visibility: 'mine',
            limit: limits.communityPageSize,
            offset: (page - 1) * limits.communityPageSize,
          },
          signal,
        }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Poll } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

/** This week's polls as this voter sees them; `initial` is what the page was published with. */
export function useActivePolls(initial: readonly Poll[], publishedAt: string) {
  return useQuery<readonly Poll[]>(
    {
      queryKey: queryKeys.activePolls,
      queryFn: ({ signal }) => callApi('activePolls', { signal }),
      // Published without polls, the page cannot know whether there are some by now: it shows place holders.
      ...(initial.length > 0 && { initialData: initial, initialDataUpdatedAt: Date.parse(publishedAt) }),
    },
    queryClient(),
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Poll } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';

/** This week's polls as this voter sees them; `initial` is what the page was published with. */
export function useActivePolls(initial: readonly Poll[], publishedAt: string) {
  const hydrated = useHydrated();
  const query = useQuery<readonly Poll[]>(
    {
      queryKey: queryKeys.activePolls,
      queryFn: ({ signal }) => callApi('activePolls', { signal }),
      // Published without polls, the page cannot know whether there are some by now: it shows place holders.
      ...(initial.length > 0 && { initialData: initial, initialDataUpdatedAt: Date.parse(publishedAt) }),
    },
    queryClient(),
  );
  return hydrated ? query : { ...query, data: initial.length > 0 ? initial : undefined, isError: false };
}

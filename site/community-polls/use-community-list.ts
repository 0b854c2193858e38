import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CommunityCard } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { communityCategories, type CommunityCategory } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { communityCallQuery, type CommunityView } from './community-list-view.ts';

const keys = {
  all: ['communityPolls'],
  page: (view: CommunityView | null) => ['communityPolls', 'page', view],
  featured: ['communityPolls', 'featured'],
  categories: ['communityCategories'],
} as const;

/** One page of community polls; the last list stays while another is on its way. `enabled`: it can be asked for now. */
export function useCommunityPage(view: CommunityView | null, enabled: boolean) {
  return useQuery<readonly CommunityCard[]>(
    {
      queryKey: keys.page(view),
      queryFn: ({ signal }) => callApi('communityPolls', { query: communityCallQuery(view!), signal }),
      enabled: view !== null && enabled,
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

/** The polls that the operator features. */
export function useFeaturedPolls(known: readonly CommunityCard[]): readonly CommunityCard[] {
  const { data } = useQuery<readonly CommunityCard[]>(
    { queryKey: keys.featured, queryFn: ({ signal }) => callApi('featuredCommunityPolls', { signal }) },
    queryClient(),
  );
  return data ?? known;
}

/** The categories as the server names them; until it has, those that this page was made with. */
export function useCategories(): readonly CommunityCategory[] {
  const { data } = useQuery(
    { queryKey: keys.categories, queryFn: ({ signal }) => callApi('communityCategories', { signal }) },
    queryClient(),
  );
  return data ?? communityCategories;
}

/** Puts a poll that was just made on top of the list that shows it, if one does, and lets every list be read again. */
export async function adoptNewPoll(poll: CommunityCard, shownIn: CommunityView | null): Promise<void> {
  const client = queryClient();
  // An answer that was on its way before the poll was there must not take it off the screen.
  await client.cancelQueries({ queryKey: keys.all });
  if (shownIn !== null)
    client.setQueriesData<readonly CommunityCard[]>(
      { queryKey: keys.page(shownIn) },
      (polls) => polls && [poll, ...polls.filter(({ id }) => id !== poll.id)].slice(0, limits.communityPageSize),
    );
  void client.invalidateQueries({ queryKey: keys.all });
}

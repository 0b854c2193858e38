import type { CommunityCard, CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#contract/routes.ts';
import { communityCard } from '#domain/poll-visibility.ts';
import { readFromApi } from '#site/site-config.ts';
import { communityCallQuery, type CommunityView } from './community-list-view.ts';

/** What a page that is rendered on demand lists. */
export interface CommunityLists {
  /** Null: only the reader's own browser can ask for it. */
  readonly polls: readonly CommunityCard[] | null;
  readonly featured: readonly CommunityCard[];
}

/**
 * The lists of a view from the API, asked as a stranger, on behalf of a visitor whose page is rendered on demand; null
 * when the API does not answer as agreed. The visitor's address goes along, because the API counts calls by address.
 */
export async function fetchCommunityLists(view: CommunityView, visitor: string): Promise<CommunityLists | null> {
  const get = async (path: string) => {
    const response = await readFromApi(path, {
      headers: { accept: 'application/json', 'x-forwarded-for': visitor },
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
    if (!response.ok) throw new Error(`The API returned ${response.status}.`);
    return (await response.json()) as CommunityPoll[];
  };
  try {
    const [polls, featured] = await Promise.all([
      view.mine ? null : get(pathOf('communityPolls', {}, communityCallQuery(view))),
      view.mine || view.page > 1 ? [] : get(pathOf('featuredCommunityPolls')),
    ]);
    return { polls: polls?.map(communityCard) ?? null, featured: featured.map(communityCard) };
  } catch (error) {
    console.error('Could not fetch the community polls.', error);
    return null;
  }
}

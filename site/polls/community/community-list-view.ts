import * as limits from '#contract/limits.ts';
import type { CommunityCategory, CommunitySort, CommunityState } from '#contract/vocabulary.ts';
import { communityCategories, communitySorts, communityStates } from '#contract/vocabulary.ts';
import { communityPath } from '#site/polls/voting/ballot.ts';

/** Whose polls a list has: everyone’s public ones, the reader’s own of every visibility, or those the reader is invited to. */
export const communityScopes = ['public', 'mine', 'invited'] as const;
export type CommunityScope = (typeof communityScopes)[number];

/** Which part of the community polls is listed. */
export interface CommunityView {
  readonly page: number;
  /** Null: all categories. */
  readonly category: CommunityCategory | null;
  readonly scope: CommunityScope;
  readonly sort: CommunitySort;
  /** Null: all of them. */
  readonly state: CommunityState | null;
}

/** The list as it is pre-rendered. */
export const firstCommunityView: CommunityView = {
  ...{ page: 1, category: null, scope: 'public', sort: 'newest', state: null },
};

const lastPage = 1_000_000;

/** Parses the query of the list’s address; null if it is invalid. */
export function readCommunityView(search: string): CommunityView | null {
  const query = new URLSearchParams(search);
  const page = query.get('page') ?? '1';
  if (!/^[1-9]\d{0,6}$/.test(page) || Number(page) > lastPage) return null;
  const category = oneOf(communityCategories, query.get('category'), null);
  const scope = oneOf(communityScopes, query.get('show'), firstCommunityView.scope);
  const sort = oneOf(communitySorts, query.get('sort'), firstCommunityView.sort);
  const state = oneOf(communityStates, query.get('state'), null);
  if (category === undefined || scope === undefined || sort === undefined || state === undefined) return null;
  return { page: Number(page), category, scope, sort, state };
}

/** The value if it is one of these, the default for none or an empty one, and undefined for another. */
function oneOf<T extends string, D>(values: readonly T[], value: string | null, otherwise: D): T | D | undefined {
  return value === null || value === '' ? otherwise : values.find((one) => one === value);
}

/** The address of a view, without default values. */
export function communityAddress(view: CommunityView): string {
  const query = new URLSearchParams();
  if (view.scope !== firstCommunityView.scope) query.set('show', view.scope);
  if (view.category !== null) query.set('category', view.category);
  if (view.state !== null) query.set('state', view.state);
  if (view.sort !== firstCommunityView.sort) query.set('sort', view.sort);
  if (view.page !== 1) query.set('page', String(view.page));
  return query.size > 0 ? `${communityPath}?${query}` : communityPath;
}

/** Only the reader’s browser can request the view: it depends on who reads. */
export const isPersonal = ({ scope, state }: CommunityView) => scope !== 'public' || state === 'unvoted';

/** The query of the API call that counts a view. */
export function communityCountQuery({ category, scope, sort, state }: CommunityView) {
  return {
    visibility: scope,
    ...(category !== null && { category }),
    ...(state !== null && { state }),
    ...(sort !== firstCommunityView.sort && { sort }),
  };
}

/** The query of the API call that lists a view. */
export function communityCallQuery(view: CommunityView) {
  return {
    ...communityCountQuery(view),
    limit: limits.communityPageSize,
    offset: (view.page - 1) * limits.communityPageSize,
  };
}

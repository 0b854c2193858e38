import * as limits from '#contract/limits.ts';
import type { CommunityCategory } from '#contract/vocabulary.ts';
import { communityCategories } from '#contract/vocabulary.ts';

/** Which part of the community polls is listed. */
export interface CommunityView {
  readonly page: number;
  /** Null: all categories. */
  readonly category: CommunityCategory | null;
  /** The reader’s own polls of every visibility instead of everyone’s public ones. */
  readonly mine: boolean;
}

/** Path of the list. */
export const communityPath = '/community-polls';

/** The list as it is pre-rendered. */
export const firstCommunityView: CommunityView = { page: 1, category: null, mine: false };

const lastPage = 1_000_000;
const mine = 'mine';

/** Parses the query of the list’s address; null if it is invalid. */
export function readCommunityView(search: string): CommunityView | null {
  const query = new URLSearchParams(search);
  const page = query.get('page') ?? '1';
  const category = query.get('category') ?? '';
  const show = query.get('show') ?? '';
  if (!/^[1-9]\d{0,6}$/.test(page) || Number(page) > lastPage) return null;
  if (category !== '' && !isCategory(category)) return null;
  if (show !== '' && show !== mine) return null;
  return { page: Number(page), category: category === '' ? null : category, mine: show === mine };
}

function isCategory(value: string): value is CommunityCategory {
  return (communityCategories as readonly string[]).includes(value);
}

/** The address of a view, without default values. */
export function communityAddress(view: CommunityView): string {
  const query = new URLSearchParams();
  if (view.mine) query.set('show', mine);
  if (view.category !== null) query.set('category', view.category);
  if (view.page !== 1) query.set('page', String(view.page));
  return query.size > 0 ? `${communityPath}?${query}` : communityPath;
}

/** The query of the API call that lists a view. */
export function communityCallQuery({ page, category, mine: own }: CommunityView) {
  return {
    visibility: own ? ('mine' as const) : ('public' as const),
    limit: limits.communityPageSize,
    offset: (page - 1) * limits.communityPageSize,
    ...(category !== null && { category }),
  };
}

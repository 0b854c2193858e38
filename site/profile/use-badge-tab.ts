import { useSyncExternalStore } from 'react';
import { badgeCategories } from '#contract/badges.ts';
import type { BadgeCategory } from '#contract/badges.ts';

function listen(follow: () => void): () => void {
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

const first: BadgeCategory = 'voting';
const current = (): BadgeCategory => badgeCategories.find((category) => location.hash === `#${category}`) ?? first;
const published = (): BadgeCategory => first;

function show(category: BadgeCategory): void {
  history.replaceState(history.state, '', `#${category}`);
  dispatchEvent(new Event('hashchange'));
}

/** The category that is shown, voting unless the address ends in another one, and how another one is. */
export function useBadgeTab(): readonly [BadgeCategory, (category: BadgeCategory) => void] {
  return [useSyncExternalStore(listen, current, published), show];
}

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * False while an island takes over the markup of its page, true from then on. Islands wake up one after the other and
 * share answers: one that wakes late must first render what the page was published with, or the markup would not fit.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

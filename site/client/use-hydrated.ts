import { useSyncExternalStore } from 'react';

const subscribeToNothing = () => () => undefined;

/**
 * False while an island hydrates, then true. Islands hydrate one after another and share query results, so one that
 * hydrates late must first render the published markup, or the two would not match.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

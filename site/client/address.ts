import { useSyncExternalStore } from 'react';
import type { MouseEvent } from 'react';

const moved = 'address:moved';

function subscribe(notify: () => void): () => void {
  addEventListener('popstate', notify);
  addEventListener(moved, notify);
  return () => {
    removeEventListener('popstate', notify);
    removeEventListener(moved, notify);
  };
}

/** The query of the address bar, followed as it changes; `rendered` is the one that the HTML was made for. */
export function useSearch(rendered: string): string {
  return useSyncExternalStore(
    subscribe,
    () => location.search,
    () => rendered,
  );
}

/** Shows another view of the page: the address says which, and going back returns. */
export function goTo(address: string): void {
  // What is shown already is no step.
  if (address !== location.pathname + location.search) history.pushState(null, '', address);
  dispatchEvent(new Event(moved));
}

/** The same without a step to go back to: for what changes with every key that is pressed. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', address);
  dispatchEvent(new Event(moved));
}

/** Scrolls to the top of the page, smoothly where the visitor has nothing against motion. */
export function scrollToTop(): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
}

/** A press that turns to another view in place; what asks for a new tab or a download stays a link. */
export function isPlainPress({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

import { useSyncExternalStore } from 'react';

const changeEvent = 'address:changed';

function subscribe(notify: () => void): () => void {
  addEventListener('popstate', notify);
  addEventListener(changeEvent, notify);
  return () => {
    removeEventListener('popstate', notify);
    removeEventListener(changeEvent, notify);
  };
}

/** The query string of the address bar; `rendered` is the one the HTML was rendered for. */
export function useSearch(rendered: string): string {
  return useSyncExternalStore(
    subscribe,
    () => location.search,
    () => rendered,
  );
}

/** Shows another view of the page and adds it to the history. */
export function goTo(address: string): void {
  // The current view gets no second history entry.
  if (address !== location.pathname + location.search) history.pushState(null, '', address);
  dispatchEvent(new Event(changeEvent));
}

/** Shows another view without a history entry, for changes on every keystroke. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, '', address);
  dispatchEvent(new Event(changeEvent));
}

/** Scrolls to the top of the page, smoothly unless the visitor prefers reduced motion. */
export function scrollToTop(): void {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scrollTo({ top: 0, behavior: reducedMotion ? 'auto' : 'smooth' });
}

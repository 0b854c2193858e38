import { useSyncExternalStore } from 'react';
import { archiveAddress, type ArchiveView } from './archive-query.ts';

const moved = 'archive:moved';

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

/** Shows another view: the address says which, and going back returns. */
export function goTo(view: ArchiveView): void {
  history.pushState(null, '', archiveAddress(view));
  dispatchEvent(new Event(moved));
}

import { useEffect, useRef, useSyncExternalStore } from 'react';

const changed = 'admin-address';

function subscribe(notify: () => void): () => void {
  for (const event of ['popstate', changed]) window.addEventListener(event, notify);
  return () => {
    for (const event of ['popstate', changed]) window.removeEventListener(event, notify);
  };
}

/** Changes parameters of the page’s query; null removes one. Adds an entry to the history unless `replace`. */
export function setAddress(
  changes: Readonly<Record<string, string | null>>,
  { replace = false }: { readonly replace?: boolean } = {},
): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes))
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  if (url.href === location.href) return;
  history[replace ? 'replaceState' : 'pushState'](history.state, '', url);
  window.dispatchEvent(new Event(changed));
}

/** The parameters of the page’s query, which name what an admin page shows, and how to change them. */
export function useAddress(): readonly [URLSearchParams, typeof setAddress] {
  const search = useSyncExternalStore(
    subscribe,
    () => location.search,
    () => '',
  );
  return [new URLSearchParams(search), setAddress];
}

/** Scrolls to what the fragment of the address names once the page has it: the browser looks for it before that. */
export function useFragment(isShown: boolean): void {
  useEffect(() => {
    if (isShown && location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isShown]);
}

/**
 * Moves the focus to an element that replaced what had it, but not on a page that has just been opened. While it was
 * loading, the heading of the page had the focus.
 */
export function useLostFocus(find: () => HTMLElement | null | undefined): void {
  const replacement = useRef(find);
  useEffect(() => {
    if (document.activeElement?.matches('body, h1') !== true) return;
    if ('userActivation' in navigator && navigator.userActivation.hasBeenActive) replacement.current()?.focus();
  }, []);
}

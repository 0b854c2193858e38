/** The event on an island that hydrates it at once (hydrate/hydrate.ts). */
export const hydrateEvent = 'hydrate:now';

/** An island, for the plain script of its page. */
export interface PageIsland {
  readonly root: HTMLElement;
  /** React has replaced the published HTML: the script must leave it alone. */
  readonly isHydrated: () => boolean;
  /** Hydrates it at once, for what the published HTML can’t show. */
  readonly hydrate: () => void;
}

/** The island in the part of the page with this `data-app`. */
export function islandIn(app: string): PageIsland {
  const root = document.querySelector<HTMLElement>(`[data-app=${app}] astro-island`)!;
  return {
    root,
    isHydrated: () => !root.hasAttribute('ssr'),
    hydrate: () => void root.dispatchEvent(new Event(hydrateEvent)),
  };
}

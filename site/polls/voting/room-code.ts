import { roomHash } from '#contract/vocabulary.ts';

/**
 * The code of a screen for votes on the poll whose page has this path: from the address that was scanned, from which it is moved
 * to the storage of the tab, so that nobody passes it on with the address. Undefined without one.
 */
export function roomCodeOf(path: string): string | undefined {
  const key = `weathervane-room-${path}`;
  const { hash, pathname, search } = location;
  const scanned = pathname === path && hash.startsWith(roomHash) ? hash.slice(roomHash.length) : undefined;
  try {
    if (scanned === undefined) return sessionStorage.getItem(key) ?? undefined;
    sessionStorage.setItem(key, scanned);
    history.replaceState(history.state, '', pathname + search);
  } catch {
    // Storage is blocked; the address still has it.
  }
  return scanned;
}

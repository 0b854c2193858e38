import type { SiteMemory } from './load-evidence.ts';

const storageKey = 'weathervane-site-log';

/** What this browser saw of the site-wide log last; null if it never did, or storage is blocked. */
export function readSiteMemory(): SiteMemory | null {
  try {
    const memory = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<SiteMemory> | null;
    if (typeof memory?.origin !== 'string' || typeof memory.note !== 'string' || !Array.isArray(memory.keys))
      return null;
    return memory as SiteMemory;
  } catch {
    return null;
  }
}

/** Remembers a verified checkpoint; never call this after a recount that failed. */
export function writeSiteMemory(memory: SiteMemory): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(memory));
  } catch {
    // Storage is full or blocked: the next visit is a first one again.
  }
}

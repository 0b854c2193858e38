import { memoriesIn, withMemory } from './load-evidence.ts';
import type { SiteMemory } from './load-evidence.ts';

const storageKey = 'weathervane-site-log';

/** What this browser saw of each site-wide log last; empty if it never did, or storage is blocked. */
export function readSiteMemories(): SiteMemory[] {
  try {
    return memoriesIn(JSON.parse(localStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

/** Remembers a verified checkpoint; never call this after a recount that failed. */
export function writeSiteMemory(memory: SiteMemory): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(withMemory(readSiteMemories(), memory)));
  } catch {
    // Storage is full or blocked: the next visit is a first one again.
  }
}

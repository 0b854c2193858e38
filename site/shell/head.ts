import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Runs in the head before anything is painted: a remembered theme is applied without a flash, and a member does not see
 * "Sign In" before the menu is there. Kept as text, because the content security policy names its digest
 * (astro.config.mjs).
 */
export const headScript = `{const d=document.documentElement.dataset;try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')d.theme=t}catch{}if(/\\b${accountHintCookie}=1/.test(document.cookie))d.member=''}`;

/**
 * The order of the cascade layers, said before any style sheet: the build decides which sheet comes first on a page,
 * and the first mention of a layer would decide its place.
 */
export const layerOrder = '@layer reset,tokens,base,components,utilities;';

/** What a setting of a third party says: the script to load, and the origins it may load more from. */
export interface ThirdParty {
  readonly script: string;
  /** The script's own origin first. */
  readonly origins: readonly string[];
}

/** Reads `ANALYTICS_SCRIPT` or `ADS_SCRIPT`: the script's address, then those of further servers it needs. */
export function thirdPartyOf(setting: string | null): ThirdParty | null {
  const addresses = setting?.split(/\s+/).filter((address) => address !== '') ?? [];
  const [script] = addresses;
  if (script === undefined) return null;
  return { script, origins: [...new Set(addresses.map((address) => new URL(address).origin))] };
}

/**
 * The content policy of every page: nothing from elsewhere but pictures, sound and film that people link to, and what the
 * operator has configured. Advertisements stand in frames, of which nobody knows where they come from.
 */
export function contentPolicy(settings: { analyticsScript: string | null; adsScript: string | null }) {
  const analytics = thirdPartyOf(settings.analyticsScript)?.origins ?? [];
  const ads = thirdPartyOf(settings.adsScript)?.origins ?? [];
  const origins = [...new Set([...analytics, ...ads])];
  const directives = [
    "default-src 'self'",
    "img-src 'self' data: https: http:",
    "media-src 'self' https: http:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    `frame-src ${ads.length > 0 ? 'https:' : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ] as const;
  return { scripts: ["'self'", ...origins], directives };
}

import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Runs in the head before the first paint, so a stored theme applies without a flash and members don’t see “Sign In”
 * before their menu loads. A string, because the content security policy contains its hash
 * (astro.config.mjs).
 */
export const headScript = `{const d=document.documentElement.dataset;try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')d.theme=t}catch{}if(/\\b${accountHintCookie}=1/.test(document.cookie))d.member=''}`;

/**
 * The order of the cascade layers, declared before any stylesheet, because the first mention of a layer decides its
 * place and the build decides the order of stylesheets.
 */
export const layerOrder = '@layer reset,tokens,base,components,utilities;';

/** A third party’s script, and the origins it may load from. */
interface ThirdParty {
  readonly script: string;
  /** The script’s own origin comes first. */
  readonly origins: readonly string[];
}

/** Parses `ANALYTICS_SCRIPT` or `ADS_SCRIPT`: the script’s address, then other servers it needs. */
export function thirdPartyOf(setting: string | null): ThirdParty | null {
  const addresses = setting?.split(/\s+/).filter((address) => address !== '') ?? [];
  const [script] = addresses;
  if (script === undefined) return null;
  return { script, origins: [...new Set(addresses.map((address) => new URL(address).origin))] };
}

/**
 * The content security policy of every page: nothing from other sites except linked images, audio, and video, and the
 * configured third parties. Advertisements may frame any site, because their origins are unknown.
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

import type { APIContext } from 'astro';
import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Runs in the head before the first paint, so a stored theme applies without a flash and members don’t see “Sign In”
 * before their menu loads. A window that a sandboxed frame opened has no origin, and so no storage, cookies, or API. A
 * string, because the content security policy contains its hash (astro.config.mjs).
 */
export const headScript = `if(self.origin!=='null'){const d=document.documentElement.dataset;d.unrestricted='';try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')d.theme=t}catch{}if(/\\b${accountHintCookie}=1/.test(document.cookie))d.member=''}`;

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

/** What every page’s content security policy says: nothing from other sites. */
export const contentDirectives = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
] as const;

/** Added to the policy of a report whose analysis contains pictures, which the operator may have linked from other sites. */
export const linkedPictures = 'img-src https: http:';

interface ThirdPartySettings {
  readonly analyticsScript: string | null;
  readonly adsScript: string | null;
}

/**
 * Adds to a page’s policy what the configured third parties need. Not part of the code build, which is the same for all
 * settings. Advertisements may frame and show pictures of any site, because their origins are unknown. `framesOwnPages`: the
 * page shows another one of this site in a frame.
 */
export function allowThirdParties(
  policy: APIContext['csp'],
  settings: ThirdPartySettings,
  framesOwnPages = false,
): void {
  const analytics = thirdPartyOf(settings.analyticsScript)?.origins ?? [];
  const ads = thirdPartyOf(settings.adsScript)?.origins ?? [];
  const origins = [...new Set([...analytics, ...ads])];
  policy?.insertDirective(`connect-src ${["'self'", ...origins].join(' ')}`);
  const framed = [...(ads.length > 0 ? ['https:'] : []), ...(framesOwnPages ? ["'self'"] : [])];
  policy?.insertDirective(`frame-src ${framed.join(' ') || "'none'"}`);
  if (origins.length > 0) policy?.insertDirective(`img-src ${ads.length > 0 ? 'https:' : origins.join(' ')}`);
  for (const origin of origins) policy?.insertScriptResource(origin);
}

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

import { readConfig } from '#platform/config.ts';

const { siteName, publicUrl, supportEmail, apiOrigin, dataDir, analyticsScript, analyticsSite, adsScript } =
  readConfig();

/** What pages need of the configuration. Read by the build and the site service, never by a browser. */
export const siteConfig = {
  siteName,
  publicUrl,
  supportEmail,
  apiOrigin,
  dataDir,
  analyticsScript,
  analyticsSite,
  adsScript,
} as const;

/** The full address of a path on this site, for canonical links, feeds and sharing. */
export function publicAddress(path: string): string {
  return path === '/' ? `${publicUrl}/` : publicUrl + path;
}

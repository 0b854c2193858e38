import { readConfig } from '#platform/config.ts';
import { askApi } from './server/ask-api.ts';

const { siteName, publicUrl, supportEmail, apiOrigins, dataDir, analyticsScript, analyticsSite, adsScript } =
  readConfig();

/** What pages need of the configuration. Read by the build and the site service, never by a browser. */
export const siteConfig = {
  siteName,
  publicUrl,
  supportEmail,
  dataDir,
  analyticsScript,
  analyticsSite,
  adsScript,
} as const;

/** The full address of a path on this site, for canonical links, feeds and sharing. */
export function publicAddress(path: string): string {
  return path === '/' ? `${publicUrl}/` : publicUrl + path;
}

/** Reads from the API, wherever it is. Every page that is rendered on demand asks here. */
export function readFromApi(path: string, init: RequestInit): Promise<Response> {
  return askApi(apiOrigins, path, init);
}

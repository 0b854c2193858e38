import { meansOf, offeredProtections } from '#domain/protection.ts';
import { readConfig } from '#platform/config.ts';
import { fetchFromApi } from './server/fetch-from-api.ts';
import { setSiteZone } from './ui/format.ts';

const config = readConfig();
const { siteName, publicUrl, supportEmail, timeZone, smtpUrl, apiOrigins, dataDir } = config;
const { analyticsScript, analyticsSite, adsScript, embedVotingSites } = config;
setSiteZone(timeZone);

/** The part of the configuration that pages need; never read by a browser. */
export const siteConfig = {
  siteName,
  publicUrl,
  supportEmail,
  timeZone,
  /** Whether members can get links by email. */
  sendsMail: smtpUrl !== null,
  /** The levels of protection that polls can have. */
  protections: offeredProtections(meansOf(config)),
  dataDir,
  analyticsScript,
  analyticsSite,
  adsScript,
  embedVotingSites,
} as const;

/** The absolute URL of a path, for canonical links, feeds, and sharing. */
export function publicAddress(path: string): string {
  return path === '/' ? `${publicUrl}/` : publicUrl + path;
}

/** Reads from the API, for pages that are not saved. */
export function readFromApi(path: string, init: RequestInit): Promise<Response> {
  return fetchFromApi(apiOrigins, path, init);
}

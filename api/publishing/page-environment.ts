import type { Config } from '#platform/config.ts';

/** The settings that pages print, in the words of the environment, so that defaults are the same everywhere. */
export function pageEnvironment(config: Config): Record<string, string> {
  return {
    SITE_NAME: config.siteName,
    PUBLIC_URL: config.publicUrl,
    SUPPORT_EMAIL: config.supportEmail,
    ANALYTICS_SCRIPT: config.analyticsScript ?? '',
    ANALYTICS_SITE: config.analyticsSite ?? '',
    ADS_SCRIPT: config.adsScript ?? '',
    API_ORIGIN: config.apiOrigins.join(),
  };
}

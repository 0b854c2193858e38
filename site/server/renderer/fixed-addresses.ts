import { feedFormats } from '#site/content/feeds/feeds.ts';
import { sitemapNames } from '#site/content/feeds/sitemap.ts';
import { icons } from '#site/polls/sharing/icons.ts';

/** The addresses of dynamic routes that exist whatever the database has. */
export const fixedAddresses: readonly string[] = [
  ...feedFormats.flatMap((format) => [`/historical/${format}.xml`, `/blog/${format}.xml`]),
  ...sitemapNames.map((name) => `/sitemap-${name}.xml`),
  ...Object.keys(icons).map((name) => `/icons/${name}.png`),
];

/** Fixed addresses whose pages differ for each visitor. */
export const neverSaved: readonly string[] = ['/search', '/auth/login'];

import { publicAddress } from '#site/site-config.ts';

/** Allows everything: crawlers must read noindex pages to see that they are noindex. */
export const GET = () => new Response(`User-agent: *\nAllow: /\n\nSitemap: ${publicAddress('/sitemap.xml')}\n`);

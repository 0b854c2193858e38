import { publicAddress } from '#site/site-config.ts';

export const prerender = true;

/** Everything may be read: pages that are not to be found say so themselves, which only who reads them can see. */
export const GET = () => new Response(`User-agent: *\nAllow: /\n\nSitemap: ${publicAddress('/sitemap.xml')}\n`);

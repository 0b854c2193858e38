import { newest, sitemapIndexXml } from '#site/feeds/sitemap.ts';
import { sitemapParts } from '#site/feeds/sitemap-parts.ts';
import { publicAddress } from '#site/site-config.ts';

export const prerender = true;

export const GET = () =>
  new Response(
    sitemapIndexXml(
      sitemapParts().map(({ name, entries }) => {
        const changedAt = newest(entries);
        return { address: publicAddress(`/sitemap-${name}.xml`), ...(changedAt !== undefined && { changedAt }) };
      }),
    ),
  );

import { newest, sitemapIndexXml, sitemapParts } from '#site/feeds/sitemap.ts';
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

import type { APIRoute } from 'astro';
import { xmlResponse } from '#site/content/feeds/xml-response.ts';
import { sitemapEntries, sitemapXml } from '#site/content/feeds/sitemap.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute<never, { name: string }> = async ({ params, locals }) => {
  const entries = await sitemapEntries(params.name, locals.data);
  return entries ? xmlResponse(sitemapXml(entries)) : noSuchPage();
};

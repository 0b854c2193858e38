import type { APIRoute } from 'astro';
import { sitemapEntries, sitemapXml } from '#site/feeds/sitemap.ts';
import { noSuchPage } from '#site/renderer/no-such-page.ts';

export const prerender = true;

export const GET: APIRoute<never, { name: string }> = async ({ params, locals }) => {
  const entries = await sitemapEntries(params.name, locals.data);
  return entries ? new Response(sitemapXml(entries)) : noSuchPage();
};

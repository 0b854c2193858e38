import type { APIRoute } from 'astro';
import { xmlResponse } from '#site/content/feeds/xml-response.ts';
import { sitemapFiles, sitemapIndexXml } from '#site/content/feeds/sitemap.ts';

export const GET: APIRoute = async ({ locals }) => xmlResponse(sitemapIndexXml(await sitemapFiles(locals.data)));

import type { APIRoute } from 'astro';
import { sitemapFiles, sitemapIndexXml } from '#site/feeds/sitemap.ts';

export const prerender = true;

export const GET: APIRoute = async ({ locals }) => new Response(sitemapIndexXml(await sitemapFiles(locals.data)));

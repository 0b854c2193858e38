import type { APIRoute, GetStaticPaths } from 'astro';
import type { SitemapEntry } from '#site/feeds/sitemap.ts';
import { sitemapXml, sitemapParts } from '#site/feeds/sitemap.ts';

export const prerender = true;

export const getStaticPaths = (() =>
  sitemapParts().map(({ name, entries }) => ({ params: { name }, props: { entries } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ entries: readonly SitemapEntry[] }> = ({ props }) =>
  new Response(sitemapXml(props.entries));

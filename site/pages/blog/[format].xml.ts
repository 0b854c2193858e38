import type { APIRoute } from 'astro';
import { articlesFeed, feedFormats, feedXml } from '#site/feeds/feeds.ts';
import { noSuchPage } from '#site/renderer/no-such-page.ts';

export const prerender = true;

export const GET: APIRoute = async ({ params, locals }) => {
  const format = feedFormats.find((name) => name === params.format);
  return format ? new Response(feedXml(await articlesFeed(locals.data), format)) : noSuchPage();
};

import type { APIRoute } from 'astro';
import { feedFormats, feedXml, reportsFeed } from '#site/feeds/feeds.ts';
import { noSuchPage } from '#site/renderer/no-such-page.ts';

export const prerender = true;

export const GET: APIRoute = async ({ params, locals }) => {
  const format = feedFormats.find((name) => name === params.format);
  return format ? new Response(feedXml(await reportsFeed(locals.data), format)) : noSuchPage();
};

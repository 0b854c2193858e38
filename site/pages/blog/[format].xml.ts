import type { APIRoute } from 'astro';
import { xmlResponse } from '#site/feeds/xml-response.ts';
import { articlesFeed, feedFormats, feedXml } from '#site/feeds/feeds.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute = async ({ params, locals }) => {
  const format = feedFormats.find((name) => name === params.format);
  return format ? xmlResponse(feedXml(await articlesFeed(locals.data), format)) : noSuchPage();
};

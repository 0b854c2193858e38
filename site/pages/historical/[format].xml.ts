import type { APIRoute } from 'astro';
import { xmlResponse } from '#site/content/feeds/xml-response.ts';
import { feedFormats, feedXml, reportsFeed } from '#site/content/feeds/feeds.ts';
import { noSuchPage } from '#site/layouts/no-such-page.ts';

export const GET: APIRoute = async ({ params, locals }) => {
  const format = feedFormats.find((name) => name === params.format);
  return format ? xmlResponse(feedXml(await reportsFeed(locals.data), format)) : noSuchPage();
};

import { feedXml, reportsFeed } from '#site/feeds/feeds.ts';

export const prerender = true;

export const GET = () => new Response(feedXml(reportsFeed(), 'atom'));

import { feedXml, articlesFeed } from '#site/feeds/feeds.ts';

export const prerender = true;

export const GET = () => new Response(feedXml(articlesFeed(), 'rss'));

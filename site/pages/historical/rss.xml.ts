import { feedXml } from '#site/feeds/feed.ts';
import { reportsFeed } from '#site/feeds/feed-contents.ts';

export const prerender = true;

export const GET = () => new Response(feedXml(reportsFeed(), 'rss'));

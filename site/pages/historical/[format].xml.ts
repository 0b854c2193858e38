import type { APIRoute } from 'astro';
import { feedFormats, feedXml, reportsFeed, type FeedFormat } from '#site/feeds/feeds.ts';

export const prerender = true;

export const getStaticPaths = () => feedFormats.map((format) => ({ params: { format }, props: { format } }));

export const GET: APIRoute<{ format: FeedFormat }> = ({ props }) => new Response(feedXml(reportsFeed(), props.format));

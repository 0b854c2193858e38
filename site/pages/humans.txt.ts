import { siteConfig } from '#site/site-config.ts';
import { feedTexts } from '#texts/site.ts';

export const GET = () => new Response(feedTexts.humans(siteConfig.siteName, siteConfig.supportEmail));

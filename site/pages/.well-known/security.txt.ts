import type { APIRoute } from 'astro';
import { securityText } from '#site/content/feeds/security-text.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';

export const GET: APIRoute = ({ locals }) =>
  new Response(
    securityText({
      contact: siteConfig.supportEmail,
      address: publicAddress('/.well-known/security.txt'),
      now: Date.parse(locals.data.now),
    }),
  );

import { securityText } from '#site/feeds/security-text.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';
import { siteSnapshot } from '#site/snapshot/read-snapshot.ts';

export const prerender = true;

export const GET = () =>
  new Response(
    securityText({
      contact: siteConfig.supportEmail,
      address: publicAddress('/.well-known/security.txt'),
      now: Date.parse(siteSnapshot().createdAt),
    }),
  );

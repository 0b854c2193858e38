import { icons } from '#site/polls/sharing/icons.ts';
import { siteConfig } from '#site/site-config.ts';
import { feedTexts } from '#texts/site.ts';

/** The web app manifest, which lets phones add the site to the home screen. */
export const GET = () =>
  new Response(
    JSON.stringify({
      id: '/',
      name: siteConfig.siteName,
      short_name: siteConfig.siteName,
      description: feedTexts.manifest.description,
      lang: 'en-US',
      dir: 'ltr',
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      background_color: '#f8f4eb',
      theme_color: '#f8f4eb',
      icons: [
        { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
        ...(['icon-192', 'icon-512', 'maskable-512'] as const).map((name) => ({
          src: `/icons/${name}.png`,
          sizes: `${icons[name].size}x${icons[name].size}`,
          type: 'image/png',
          purpose: icons[name].ground === 'full' ? 'maskable' : 'any',
        })),
      ],
      shortcuts: [
        { name: feedTexts.manifest.polls, url: '/' },
        { name: feedTexts.manifest.archive, url: '/historical' },
      ],
    }),
    { headers: { 'content-type': 'application/manifest+json' } },
  );

import type { AstroIntegration } from 'astro';
import type { PageData } from '#api/publishing/page-data/page-data.contract.ts';

const key = Symbol.for('weathervane.live-pages');
// Pages are bundled and have modules of their own, so the process is what both sides share.
const shared = globalThis as { [key]?: () => PageData };

/** What pages show now, in the development server. */
export function livePageData(): PageData {
  const read = shared[key];
  if (!read) throw new Error('This process has no data for pages: add the integration showLivePages.');
  return read();
}

/** Hands pages their data in the development server, where Astro itself renders them. */
export function showLivePages(read: () => PageData): AstroIntegration {
  shared[key] = read;
  return {
    name: 'live-pages',
    hooks: {
      'astro:config:setup': ({ addMiddleware }) =>
        addMiddleware({ order: 'pre', entrypoint: new URL('live-pages-middleware.ts', import.meta.url) }),
    },
  };
}

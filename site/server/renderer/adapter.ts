import node, { getAdapter } from '@astrojs/node';
import type { AstroIntegration } from 'astro';

/**
 * Astro’s adapter for Node, with an entry of ours: the server of a code build exports Astro’s own request handler, which the
 * renderer’s processes load, because the publisher saves its responses.
 */
export function rendererAdapter(): AstroIntegration {
  const integration = node({ mode: 'middleware' });
  return {
    ...integration,
    hooks: {
      ...integration.hooks,
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          ...getAdapter({ staticHeaders: false }),
          serverEntrypoint: new URL('app.ts', import.meta.url),
        }),
    },
  };
}

import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';
import type { HydrateOptions } from './hydrate.ts';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when someone starts to use the island; see hydrate.ts. */
    'client:hydrate'?: HydrateOptions | boolean;
  }
}

/** React islands, with the directive `client:hydrate`, and mount.ts in place of Astro’s renderer in the browser. */
export function islands(): AstroIntegration {
  const setUp = react().hooks['astro:config:setup']!;
  const pathOf = (name: string) => `./site/client/hydrate/${name}.ts`;
  return {
    name: 'islands',
    hooks: {
      'astro:config:setup': (options) => {
        options.addClientDirective({ name: 'hydrate', entrypoint: pathOf('hydrate') });
        return setUp({
          ...options,
          addRenderer: (renderer) => options.addRenderer({ ...renderer, clientEntrypoint: pathOf('mount') }),
        });
      },
    },
  };
}

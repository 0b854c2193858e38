import type { AstroIntegration } from 'astro';

/** Makes `client:touch` known to Astro. */
export function touchDirective(): AstroIntegration {
  return {
    name: 'client:touch',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        addClientDirective({ name: 'touch', entrypoint: './site/client-directives/touch.ts' });
      },
    },
  };
}

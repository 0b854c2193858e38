import type { AstroIntegration } from 'astro';

/** Makes `client:touch` and `client:member` known to Astro. */
export function ownDirectives(): AstroIntegration {
  return {
    name: 'own-directives',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        for (const name of ['touch', 'member'])
          addClientDirective({ name, entrypoint: `./site/client-directives/${name}.ts` });
      },
    },
  };
}

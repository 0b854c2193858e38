import type { AstroIntegration } from 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** The query string the HTML was rendered for, if that matters; see touch.ts. */
    'client:touch'?: string | boolean;
    /** Hydrates only for likely members; see member.ts. */
    'client:member'?: boolean;
  }
}

/** Registers `client:touch` and `client:member` with Astro. */
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

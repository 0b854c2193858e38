import type { AstroIntegration } from 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** The query string the HTML was rendered for, if that matters; see touch.ts. */
    'client:touch'?: string | boolean;
    /** Hydrates only for likely members; see member.ts. */
    'client:member'?: boolean;
    /** Hydrates when idle for members, and for others once they reach it; see reader.ts. */
    'client:reader'?: boolean;
  }
}

/** Registers `client:touch`, `client:member`, and `client:reader` with Astro. */
export function ownDirectives(): AstroIntegration {
  return {
    name: 'own-directives',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        for (const name of ['touch', 'member', 'reader'])
          addClientDirective({ name, entrypoint: `./site/client-directives/${name}.ts` });
      },
    },
  };
}

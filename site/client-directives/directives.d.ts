declare module 'astro' {
  interface AstroClientDirectives {
    /** The query that the HTML was made for; see touch.ts. */
    'client:touch'?: string;
    /** For readers who seem to have an account; see member.ts. */
    'client:member'?: boolean;
  }
}

export {};

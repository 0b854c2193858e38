declare module 'astro' {
  interface AstroClientDirectives {
    /** The query that the HTML was made for; see touch.ts. */
    'client:touch'?: string;
  }
}

export {};

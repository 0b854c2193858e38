declare namespace App {
  interface Locals {
    /** What pre-rendered pages show. Pages on demand read from the API instead. */
    readonly data: import('#contract/page-data.ts').PageData;
    /** The page’s error. */
    failure?: unknown;
  }
}

declare module '#domain/relative-time.ts?shell' {
  export * from '#domain/relative-time.ts';
}

declare namespace App {
  interface Locals {
    /** What pre-rendered pages show. Pages on demand read from the API instead. */
    readonly data: import('#contract/page-data.ts').PageData;
  }
}

declare module '#domain/relative-time.ts?shell' {
  export * from '#domain/relative-time.ts';
}

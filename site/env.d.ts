declare namespace App {
  interface Locals {
    /** What pages show; personal ones read from the API instead. */
    readonly data: import('#api/publishing/page-data/page-data.contract.ts').PageData;
    /** The page’s error. */
    failure?: unknown;
  }
}

declare module '#domain/relative-time.ts?shell' {
  export * from '#domain/relative-time.ts';
}

/** The part of js-yaml that is used; the package has no types. */
declare module 'js-yaml' {
  export function load(text: string, options?: { schema?: unknown }): unknown;
  export function dump(
    value: unknown,
    options?: { schema?: unknown; lineWidth?: number; skipInvalid?: boolean },
  ): string;
  export const CORE_SCHEMA: unknown;
  export class YAMLException extends Error {
    reason: string;
    /** Lines are counted from 0. */
    mark?: { line: number };
  }
}

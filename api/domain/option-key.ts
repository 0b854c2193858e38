import { foldCase } from './fold-case.ts';
import { visibleText } from './visible-text.ts';

/**
 * What options are compared by: two with the same key look the same to a voter, or say the same. Without compatibility
 * variants, hidden characters, repeated white space, and case.
 */
export function optionKey(text: string): string {
  // Folding the case can decompose letters.
  return foldCase(visibleText(text.normalize('NFKC'))).normalize('NFKC');
}

/** The places of options that have the key of an earlier one. */
export function repeatedOptions(options: readonly { readonly text: string }[]): ReadonlySet<number> {
  const keys = new Set<string>();
  return new Set(
    options.flatMap(({ text }, place) => {
      const key = optionKey(text);
      if (keys.has(key)) return [place];
      keys.add(key);
      return [];
    }),
  );
}

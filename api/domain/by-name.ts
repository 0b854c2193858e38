const collator = new Intl.Collator('en-US', { numeric: true });

/** Compares two names as a reader looks for them: regardless of capitals, and “Wave 2” before “Wave 10”. */
export const byName = (a: string, b: string): number => collator.compare(a, b);

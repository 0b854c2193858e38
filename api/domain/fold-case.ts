/**
 * A text without differences of case, as Unicode’s full case folding has it: “Straße,” “STRASSE,” and “STRAẞE” become equal,
 * as do both small sigmas. The dotless i becomes an i, unlike there.
 */
export function foldCase(text: string): string {
  // The first step takes “ẞ” to “ß,” which the second one spells out.
  return text.toLowerCase().toUpperCase().toLowerCase();
}

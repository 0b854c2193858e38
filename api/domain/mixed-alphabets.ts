// A file of its own: pages with a poll load the other rules about texts.
// Four Greek letters look like no other ones, and are in units.
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /(?![ΔΩμπ])\p{Script=Greek}/u];

/** Whether a word of a text has letters of alphabets that look alike, such as a Cyrillic “а” among Latin letters. */
export function mixesAlphabets(text: string): boolean {
  return text.split(/[^\p{L}\p{M}]+/u).some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1);
}

/** Letters of the words whose spelling is corrected: shorter ones have too many neighbors. */
const shortest = 4;
const longest = 24;
/** Letters from which a word may differ in two places. */
const longWord = 8;

/** A word in lower case and without diacritics, as spellings are compared. */
export function spellingOf(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** The words of a text that others may be corrected to, each once; Latin letters only. */
export function spelledWords(text: string): string[] {
  const words = text.normalize('NFC').match(/\p{L}[\p{L}\p{M}\p{N}]*/gu) ?? [];
  return [...new Set(words.map(spellingOf))].filter(isSpelled);
}

function isSpelled(word: string): boolean {
  return word.length >= shortest && word.length <= longest && /^[a-z]+$/.test(word);
}

/**
 * A word and its variants without one letter (SymSpell). Words that differ by one added, missing, replaced, or swapped
 * letter have one of these in common.
 */
export function spellingsOf(word: string): string[] {
  const shorter = Array.from(word, (_, place) => word.slice(0, place) + word.slice(place + 1));
  return [...new Set([word, ...shorter])];
}

/** The nearest of some words to a misspelled one, in the order of preference; null if all differ too much. */
export function nearestWord(misspelled: string, words: readonly string[]): string | null {
  if (!isSpelled(misspelled)) return null;
  const most = misspelled.length >= longWord ? 2 : 1;
  const rated = words
    // The first letter is rarely wrong.
    .map((word) => ({ word, rate: distance(misspelled, word) + (word.startsWith(misspelled.slice(0, 1)) ? 0 : 0.5) }))
    .filter(({ rate }) => rate < most + 1)
    .sort((a, b) => a.rate - b.rate || (a.word < b.word ? -1 : 1));
  return rated[0]?.word ?? null;
}

/** The number of letters added, omitted, replaced, or swapped with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        ...[last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1)],
        isSwapped ? before[j - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}

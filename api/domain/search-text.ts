import { foldCase } from './fold-case.ts';

/** Terms of a search that are looked for. */
const mostTerms = 8;
/** Characters of a term that are looked for. */
const longestTerm = 40;

/** Stop words, which are ignored unless the search has no others. */
const emptyWords = new Set(
  (
    'a about all am an and any are as at be been but by can could did do does for from had has have he her his how i if in ' +
    'into is it its me my no not of on or our she should so some such than that the their them then there these they this ' +
    'to too us was we were what when where which who whom whose why will with would you your'
  ).split(' '),
);

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Letters of scripts that write no spaces between words, or in Korean none before particles. */
const unspaced =
  '[\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const scriptRun = new RegExp(`(?:${unspaced}\\p{M}*)+|(?:(?!${unspaced})[^])+`, 'gu');
const startsUnspaced = new RegExp(`^${unspaced}`, 'u');

/** A word, or where it mixes scripts with and without spaces, its parts. */
const partsOf = (whole: string) => whole.match(scriptRun) ?? [];

/** Whether a term is of a script without spaces: it is found within longer runs of characters. */
export const isUnspaced = (term: string) => startsUnspaced.test(term);

/** A word without the differences that Unicode folds: case, compatibility variants, and in Latin words diacritics. */
export function foldedWord(typed: string): string {
  const folded = foldCase(typed.normalize('NFKC'));
  const plain = /^\p{Script=Latin}/u.test(folded) ? folded.normalize('NFD').replace(/\p{M}/gu, '') : folded;
  return plain.normalize('NFKC').replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/**
 * What an index has of a term of a script without spaces: the pairs of its neighboring characters, each with its marks; of
 * one character itself, as the beginning of pairs.
 */
export function pairsOf(term: string): string[] {
  const characters = foldedWord(term).match(/\P{M}\p{M}*/gu) ?? [];
  return characters.length < 2 ? characters : characters.slice(1).map((next, index) => `${characters[index]}${next}`);
}

/**
 * The words that an index of a text needs besides its own, each once: folded ones that differ, parts of words that mix
 * scripts, and pairs of characters of scripts without spaces.
 */
export function foldedWords(text: string): string {
  const found = new Set<string>();
  for (const whole of text.normalize('NFC').match(word) ?? []) {
    const parts = partsOf(whole);
    for (const part of parts) {
      const folded = foldedWord(part);
      if (isUnspaced(part)) {
        for (const pair of pairsOf(part)) found.add(pair);
        const last = /\P{M}\p{M}*$/u.exec(folded);
        if (last !== null) found.add(last[0]);
      } else if (folded !== '' && (parts.length > 1 || folded !== part.toLowerCase())) found.add(folded);
    }
  }
  return [...found].join(' ');
}

/** The terms of a search in lower case, letters and digits only; empty if there are none. */
export function searchTerms(text: string): string[] {
  const words = text.normalize('NFC').toLowerCase().match(word) ?? [];
  const found = words.flatMap(partsOf).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const terms = [...new Set(found)];
  const telling = terms.filter((term) => !emptyWords.has(term));
  return (telling.length > 0 ? telling : terms)
    .slice(0, mostTerms)
    .map((term) => term.slice(0, longestTerm).replace(/[\ud800-\udbff]$/, ''));
}

/** A searched text with some of its terms replaced. */
export function replaceTerms(text: string, terms: ReadonlyMap<string, string>): string {
  return text.normalize('NFC').replace(word, (typed) => terms.get(typed.toLowerCase()) ?? typed);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The running text of safe HTML, without charts and note numbers: headings as sentences, other tags as a space. */
export function plainText(html: string): string {
  return html
    .replace(/<(style|script|figure)\b[^]*?<\/\1\s*>/gi, ' ')
    .replace(/<sup><a [^<>]*data-footnote-ref[^]*?<\/sup>/g, '')
    .replace(/(?<=[^.?!>])(?=<\/h[1-6]>)/g, '.')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    })
    .replace(/\s+/g, ' ')
    .trim();
}

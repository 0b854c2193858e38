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

/** The terms of a search in lower case, letters and digits only; empty if there are none. */
export function searchTerms(text: string): string[] {
  const found = text.normalize('NFC').toLowerCase().match(word) ?? [];
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

/** The Latin words of a text that have diacritics, without them and each once. */
export function withoutDiacritics(text: string): string {
  const words = text.match(/\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu) ?? [];
  const folded = words.map((word) => [word, word.normalize('NFD').replace(/\p{M}/gu, '')]);
  return [...new Set(folded.flatMap(([word, plain = '']) => (word === plain ? [] : [plain])))].join(' ');
}

/** What drawings share: escaping, estimated text widths, and wrapping, because SVG has no layout. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for SVG content and attribute values; characters that XML doesn’t allow are left out. */
export function escapeSvg(text: string): string {
  return text
    .replace(/[\0-\b\v\f\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, '')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

/** A coordinate with at most one decimal. */
export const short = (value: number) => Math.round(value * 10) / 10;

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60\u{1f000}-\u{3ffff}]/u;

/** The estimated width of a text in em of a sans-serif font. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/\p{M}|\p{Cf}/u.test(letter)) continue;
    if (wide.test(letter)) width += 1;
    else if (/[A-Zmw%@…—]/.test(letter)) width += 0.74;
    else width += /[ijlftr.,:;'’“”|!()[\] ]/.test(letter) ? 0.32 : 0.57;
  }
  return width;
}

/** The text in lines of at most `width` em by estimate; words that are too long break, and the last line gets an ellipsis. */
export function wrapText(text: string, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  const pieces = text
    .trim()
    .split(/\s+/)
    .flatMap((word) => (textWidth(word) <= width ? [{ word, join: ' ' }] : brokenWord(word, width)));
  for (const { word, join } of pieces) {
    const longer = line === '' ? word : line + join + word;
    if (textWidth(longer) <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1] ?? ''}…`];
}

function brokenWord(word: string, width: number): { word: string; join: string }[] {
  const parts: string[] = [''];
  for (const letter of word) {
    const last = parts[parts.length - 1]!;
    if (textWidth(last + letter) <= width) parts[parts.length - 1] = last + letter;
    else parts.push(letter);
  }
  return parts.map((part, index) => ({ word: part, join: index === 0 ? ' ' : '' }));
}

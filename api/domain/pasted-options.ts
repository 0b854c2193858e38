import { isBlank } from './visible-text.ts';

const bullet = /^(?:[-–—*+•·‣◦▪●○■□☐☑✓✔]|o(?=\t))\s+/u;
const checkbox = /^\[[ xX]?\]\s+/;
const ordinal = /^\(?(\d{1,3}(?=[.):])|[a-z](?=\)))[.):]+\s+/i;

/**
 * The options in a pasted list, one per line, without bullets and numbers; null if the text has fewer than two lines. Numbers
 * stay unless they count up: “1. FC Köln” is a name. So do those without which two options would be the same, as of dates.
 */
export function pastedOptions(text: string): string[] | null {
  const lines = text
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.trim().replace(bullet, '').replace(checkbox, ''))
    .filter((line) => line !== '');
  if (lines.length < 2) return null;
  const places = lines.flatMap((line) => {
    const [, mark] = ordinal.exec(line) ?? [];
    return mark === undefined ? [] : [/\d/.test(mark) ? Number(mark) : mark.toLowerCase().charCodeAt(0)];
  });
  if (places.length < 2 || places.some((place, index) => place !== places[0]! + index)) return lines;
  const bare = lines.map((line) => line.replace(ordinal, ''));
  return new Set(bare).size === lines.length ? bare : lines;
}

/** An option being edited; the key identifies it while it moves. */
export interface EditedOption<K> {
  readonly key: K;
  readonly text: string;
}

/**
 * Options with a list of texts from the place `at` on: they fill what is blank there and after it, other options stay.
 * `leftOut`: how many of the texts there is no room for.
 */
export function withTexts<K>(
  options: readonly EditedOption<K>[],
  at: number,
  texts: readonly string[],
  { max, newKey }: { readonly max: number; readonly newKey: (options: readonly EditedOption<K>[]) => K },
): { readonly options: readonly EditedOption<K>[]; readonly leftOut: number } {
  const isWritten = ({ text }: EditedOption<K>) => !isBlank(text);
  const blanks = options.slice(at).filter((option) => !isWritten(option));
  const before = [...options.slice(0, at), ...options.slice(at, at + 1).filter(isWritten)];
  const after = options.slice(at + 1).filter(isWritten);
  const room = Math.max(0, max - before.length - after.length);
  const filled = texts.slice(0, room).reduce<readonly EditedOption<K>[]>((list, text, index) => {
    const key = blanks[index]?.key ?? newKey([...options, ...list]);
    return [...list, { key, text }];
  }, []);
  return { options: [...before, ...filled, ...after], leftOut: texts.length - filled.length };
}

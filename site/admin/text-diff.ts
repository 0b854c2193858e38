/** A run of neighboring lines or words: in both texts, only in the earlier one, or only in the later one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly string[];
}

/** Pairs of items that are compared at most: each takes four bytes. */
const mostPairs = 4_000_000;

/** The difference between two texts by lines, in the order of the texts, removed before added ones. */
export const lineDiff = (before: string, after: string): readonly DiffPart[] =>
  diff(before.split('\n'), after.split('\n'));

/** The same by words, white space, and punctuation. */
export const wordDiff = (before: string, after: string): readonly DiffPart[] => diff(wordsOf(before), wordsOf(after));

const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{M}\p{N}’'-]*|\p{N}+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** What is the same at both ends, and between them as few removed and added items as possible. */
function diff(old: readonly string[], now: readonly string[]): readonly DiffPart[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const parts: { kind: DiffPart['kind']; items: string[] }[] = [];
  const add = (kind: DiffPart['kind'], items: readonly string[]) => {
    if (items.length === 0) return;
    const last = parts.at(-1);
    if (last?.kind !== kind) parts.push({ kind, items: [...items] });
    // One after the other: a call takes fewer arguments than a long text has words.
    else for (const item of items) last.items.push(item);
  };
  add('same', old.slice(0, start));
  for (const { kind, items } of middle(old.slice(start, old.length - end), now.slice(start, now.length - end)))
    add(kind, items);
  add('same', old.slice(old.length - end));
  return parts;
}

/** By the longest common subsequence; all removed and added if there are too many items for that. */
function middle(old: readonly string[], now: readonly string[]): readonly DiffPart[] {
  const width = now.length + 1;
  const replaced = (i: number, j: number): DiffPart[] => [
    { kind: 'removed', items: old.slice(i) },
    { kind: 'added', items: now.slice(j) },
  ];
  if ((old.length + 1) * width > mostPairs) return replaced(0, 0);
  // The length of the longest common subsequence of what follows item i of one and item j of the other.
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      parts.push({ kind: 'same', items: [old[i]!] });
      i += 1;
      j += 1;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) {
      parts.push({ kind: 'removed', items: [old[i]!] });
      i += 1;
    } else {
      parts.push({ kind: 'added', items: [now[j]!] });
      j += 1;
    }
  }
  return [...parts, ...replaced(i, j)];
}

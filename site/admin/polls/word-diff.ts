/** A part of two texts: in both, only in the earlier one, or only in the later one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The most pairs of words that are compared; longer texts count as replaced where they differ. */
const maxPairs = 4_000_000;

/** The words, the white space, and the punctuation of a text, one after the other. */
const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{M}\p{N}’'-]*|\p{N}+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** The difference between two texts, by words: the parts in the order of the texts, removed before added ones. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], words: readonly string[]) => {
    const text = words.join('');
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else parts.push({ kind, text });
  };
  add('same', old.slice(0, start));
  for (const [kind, words] of middle(old.slice(start, old.length - end), now.slice(start, now.length - end)))
    add(kind, words);
  add('same', old.slice(old.length - end));
  return parts;
}

type Step = readonly [kind: DiffPart['kind'], words: readonly string[]];

/** The steps from one list of words to another that keep most of them. */
function middle(old: readonly string[], now: readonly string[]): readonly Step[] {
  if (old.length * now.length > maxPairs || old.length === 0 || now.length === 0)
    return [
      ['removed', old],
      ['added', now],
    ];
  // kept[i][j]: words that the rests of both lists from i and j have in common.
  const width = now.length + 1;
  const kept = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      kept[i * width + j] =
        old[i] === now[j]
          ? kept[(i + 1) * width + j + 1]! + 1
          : Math.max(kept[(i + 1) * width + j]!, kept[i * width + j + 1]!);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      steps.push(['same', [old[i]!]]);
      i += 1;
      j += 1;
    } else if (kept[(i + 1) * width + j]! >= kept[i * width + j + 1]!) {
      steps.push(['removed', [old[i]!]]);
      i += 1;
    } else {
      steps.push(['added', [now[j]!]]);
      j += 1;
    }
  }
  return [...steps, ['removed', old.slice(i)], ['added', now.slice(j)]];
}

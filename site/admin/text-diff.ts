import { diffArrays } from 'diff';

/** A run of neighboring lines or words: in both texts, only in the earlier one, or only in the later one. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly string[];
}

/** Removed and added items that are looked for at most: twice as many take four times as long, 0.1 seconds here. */
const mostChanges = 1_000;

/** The difference between two texts by lines, in the order of the texts, removed before added ones. */
export const lineDiff = (before: string, after: string): readonly DiffPart[] =>
  difference(before.split('\n'), after.split('\n'));

/** The same by words, white space, and punctuation. */
export const wordDiff = (before: string, after: string): readonly DiffPart[] =>
  difference(wordsOf(before), wordsOf(after));

/** Words in any script; those of `diffWords` are of Latin letters. */
const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{M}\p{N}’'-]*|\p{N}+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** Everything removed and added if there are too many changes. */
function difference(old: string[], now: string[]): readonly DiffPart[] {
  const parts = diffArrays(old, now, { maxEditLength: mostChanges });
  if (parts === undefined)
    return [
      { kind: 'removed', items: old },
      { kind: 'added', items: now },
    ];
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    items: value,
  }));
}

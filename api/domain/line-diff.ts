/** A line of two compared texts. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The lines of both texts in order, with as few added and removed ones as possible; removed before added. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...each('same', old.slice(0, start)),
    ...middleDiff(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...each('same', old.slice(old.length - end)),
  ];
}

const each = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind, text }));

/** Pairs of lines that are compared at most: each takes four bytes. */
const mostPairs = 4_000_000;

/** By the longest common subsequence; all removed and added if the texts are too long for that. */
function middleDiff(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1;
  if ((old.length + 1) * width > mostPairs) return [...each('removed', old), ...each('added', now)];
  // The length of the longest common subsequence of what follows line i of one and line j of the other.
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length)
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i]! });
      i++;
      j++;
    } else if (i < old.length && (j === now.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push({ kind: 'removed', text: old[i++]! });
    else lines.push({ kind: 'added', text: now[j++]! });
  return lines;
}

/** A run of lines of one kind. */
export interface DiffPart {
  readonly kind: DiffLine['kind'];
  readonly lines: readonly string[];
}

/** The lines of a diff in runs of one kind. */
export function diffParts(lines: readonly DiffLine[]): DiffPart[] {
  const parts: { kind: DiffLine['kind']; lines: string[] }[] = [];
  for (const { kind, text } of lines) {
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(text);
    else parts.push({ kind, lines: [text] });
  }
  return parts;
}

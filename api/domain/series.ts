import * as limits from '#contract/limits.ts';
import type { Wave } from '#api/polls/topics/series.contract.ts';
import { optionKey } from './option-key.ts';
import { distinctColors, percentOneDecimal } from './poll-results.ts';

/** An answer with its share in each wave of a series. */
export interface SeriesLine {
  /** As the newest wave that has it words it. */
  readonly text: string;
  /** In percent with one decimal, by wave; null where a wave didn’t offer it. */
  readonly shares: readonly (number | null)[];
  /** Its color from 0: its place among the answers of that wave, unless another line has it. */
  readonly color: number | null;
}

/** The answers of all waves, sorted by the newest wave that has them, then by share. */
export function seriesLines(waves: readonly Wave[]): readonly SeriesLine[] {
  const lines = new Map<string, { text: string; place: number; shares: (number | null)[] }>();
  for (const [index, { options, totalVotes }] of waves.entries())
    for (const [place, option] of options.entries()) {
      // By its text: option ids name positions in a form, and may be reused.
      const key = optionKey(option.text);
      const line = lines.get(key) ?? { text: '', place, shares: waves.map(() => null) };
      Object.assign(line, { text: option.text, place });
      // If a wave lists an answer twice, the votes add up.
      const share = percentOneDecimal(option.votes, totalVotes);
      line.shares[index] = Math.round(((line.shares[index] ?? 0) + share) * 10) / 10;
      lines.set(key, line);
    }
  const last = (line: Pick<SeriesLine, 'shares'>) => line.shares.findLastIndex((share) => share !== null);
  const sorted = [...lines.values()].sort(
    (a, b) => last(b) - last(a) || (b.shares[last(b)] ?? 0) - (a.shares[last(a)] ?? 0) || (a.text < b.text ? -1 : 1),
  );
  const colors = distinctColors(sorted.map(({ place }) => place));
  return sorted.map(({ text, shares }, index) => ({ text, shares, color: colors[index] ?? null }));
}

/** The lines that a chart draws; the table has all. */
export const drawnLines = (lines: readonly SeriesLine[]): readonly SeriesLine[] => lines.slice(0, limits.chartSlices);

/** By wave, the number of the operator’s note about it, from 1; null where there is none. */
export function noteNumbers(waves: readonly Wave[]): (number | null)[] {
  let number = 0;
  return waves.map(({ note }) => (note === undefined ? null : ++number));
}

/** Whether the answers of some waves come from elsewhere than those of others. */
export const hasSeveralOrigins = (waves: readonly Wave[]): boolean =>
  new Set(waves.map(({ origin }) => origin)).size > 1;

/**
 * The places of waves after which more than twice the usual time passed until the next; `times` in milliseconds, oldest first.
 */
export function longGaps(times: readonly number[]): number[] {
  const steps = times.slice(1).map((at, index) => at - times[index]!);
  const usual = steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0;
  return steps.flatMap((step, index) => (step > 2 * usual ? [index] : []));
}

/** How the share of an answer changed between the first and the last wave. */
interface Movement {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** In percentage points, with one decimal; negative for a loss. */
  readonly points: number;
}

/** The answer whose share differs most between the first and the last wave; null if none was in both. */
export function largestMovement(lines: readonly SeriesLine[]): Movement | null {
  const movements = lines.flatMap(({ text, shares }): Movement[] => {
    const [from, to] = [shares.at(0) ?? null, shares.at(-1) ?? null];
    return from === null || to === null ? [] : [{ text, from, to, points: Math.round((to - from) * 10) / 10 }];
  });
  return movements.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points))[0] ?? null;
}

import type { Poll } from '#api/polls/polls.contract.ts';
import { scaleOf } from '#domain/chart-form.ts';
import { percentOneDecimal, sharePercent, topResults } from '#domain/poll-results.ts';
import { pageColors } from './palette.ts';

/** An answer’s part of a single bar; lengths in percent of its width. */
export interface Segment {
  /** The option’s id. */
  readonly id: string;
  readonly text: string;
  /** Its share in percent with one decimal. */
  readonly percent: number;
  readonly from: number;
  readonly width: number;
  readonly fill: string;
}

/** A result as one bar whose middle is at 50%. */
export interface Stack {
  readonly segments: readonly Segment[];
  /** The ends of a scale with the share of all answers on their side, in percent with one decimal; none for two answers. */
  readonly ends: readonly { readonly text: string; readonly percent: number }[];
}

type Result = Pick<Poll, 'options' | 'totalVotes'>;

/** Two answers side by side, the one with more votes first. */
export function splitStack({ options, totalVotes }: Result): Stack {
  let from = 0;
  const segments = topResults(options, 2).top.map(({ id, text, votes, position }) => {
    const width = sharePercent(votes, totalVotes);
    from += width;
    const percent = percentOneDecimal(votes, totalVotes);
    return { id, text, percent, from: from - width, width, fill: pageColors.result(position) };
  });
  return { segments, ends: [] };
}

/** Colors of the sides of a scale: blue and amber. */
const sideColors = { before: 'var(--result-3)', after: 'var(--result-1)' } as const;
/** How much of its side’s color a step has, in percent, from the end of the scale inward. */
const strengths = [100, 60, 35] as const;

/** The steps of a scale on both sides of its middle; null if the answers aren’t one. */
export function scaleStack({ options, totalVotes }: Result): Stack | null {
  const scale = scaleOf(options.map(({ text }) => text));
  if (scale === null) return null;
  const steps = scale.order.map((place, index) => {
    const option = options[place]!;
    return { ...option, side: scale.sides[index]!, share: sharePercent(option.votes, totalVotes) };
  });
  const sumOf = (side: number) => steps.reduce((sum, step) => sum + (step.side === side ? step.share : 0), 0);
  const [before, between, after] = [sumOf(-1), sumOf(0), sumOf(1)];
  const half = Math.max(before, after) + between / 2 || 1;
  let from = 50 - ((before + between / 2) / half) * 50;
  const segments = steps.map(({ id, text, votes, share, side }, index) => {
    const width = (share / half) * 50;
    from += width;
    const depth = Math.min(side < 0 ? index : steps.length - 1 - index, strengths.length - 1);
    const color = side < 0 ? sideColors.before : sideColors.after;
    const fill = side === 0 ? 'var(--edge)' : `color-mix(in oklab, ${color} ${strengths[depth]}%, var(--paper))`;
    return { id, text, percent: percentOneDecimal(votes, totalVotes), from: from - width, width, fill };
  });
  const rounded = (share: number) => Math.round(share * 10) / 10;
  return {
    segments,
    ends: [
      { text: steps[0]!.text, percent: rounded(before) },
      { text: steps.at(-1)!.text, percent: rounded(after) },
    ],
  };
}

import type { Intervention } from '#api/voting/vote-figures.contract.ts';
import { voteFigureTexts as texts } from '#texts/integrity.ts';
import { reasons } from './integrity/reasons.ts';
import { figuresOf, isProvisional } from './vote-figures.ts';
import type { PollFigures } from './vote-figures.ts';

const counts = new Intl.NumberFormat('en-US');

/**
 * The figures in words where the votes received and the votes counted differ, or where the independent votes are known,
 * otherwise null: “2,201 votes received, 1 counted, 2,200 set aside (automated voting from one network)”.
 */
export function figuresSentence(poll: PollFigures): string | null {
  const { receivedVotes, countedVotes, setAsideVotes, heldVotes, interventions } = figuresOf(poll);
  const { independent } = poll;
  if (receivedVotes === countedVotes && independent === undefined) return null;
  const because = (state: Intervention['state']) => {
    const largest = interventions.filter((one) => one.state === state).toSorted((a, b) => b.votes - a.votes);
    const named = [...new Set(largest.map(({ reason }) => reasons[reason]))];
    return named.length === 0 ? '' : texts.because(named);
  };
  return [
    texts.received(counts.format(receivedVotes), receivedVotes),
    texts.counted(counts.format(countedVotes)),
    ...(independent !== undefined ? [texts.independent(counts.format(independent.votes))] : []),
    ...(setAsideVotes > 0 ? [texts.setAside(counts.format(setAsideVotes), because('set-aside'))] : []),
    ...(heldVotes > 0 ? [texts.held(counts.format(heldVotes), because('held'))] : []),
  ].join(', ');
}

/**
 * What the independent votes of a flagged poll are, and of when; null for other polls. The moment is in UTC, so that saved
 * pages and browsers say the same.
 */
export function independentNote({ independent }: PollFigures): string | null {
  if (independent === undefined) return null;
  if (independent.isFinal) return texts.independentAtEnd;
  return texts.independentSoFar(`${independent.asOf.slice(0, 10)}, ${independent.asOf.slice(11, 16)} UTC`);
}

/** A poll whose leaders can be compared; texts of options as people read them. */
export interface LedPoll extends PollFigures {
  readonly options?: readonly { readonly id: string; readonly text: string; readonly votes: number | null }[];
  /** The sentence of {@link otherLeader}, where a card has no options to make it from. */
  readonly otherLeader?: string | undefined;
}

/**
 * A sentence where counted and independent votes name other leaders, otherwise null: “With one vote per network, “Tea”
 * leads, not “Coffee”.”
 */
export function otherLeader({ independent, options = [], heldVotes, otherLeader: made }: LedPoll): string | null {
  if (made !== undefined) return made;
  if (independent === undefined || isProvisional({ heldVotes })) return null;
  const most = Math.max(0, ...options.map(({ votes }) => votes ?? 0));
  const counted = most === 0 ? [] : options.filter(({ votes }) => votes === most);
  const others = options.filter(({ id }) => independent.leaders.includes(id));
  if (counted.length === 0 || others.length === 0) return null;
  if (counted.length === others.length && counted.every((one) => others.includes(one))) return null;
  const named = (some: readonly { readonly text: string }[]) => some.map(({ text }) => text);
  return texts.otherLeader(named(others), named(counted));
}

/** A text that stands alone, such as the description of a page, with the figures first where they differ. */
export function withFigures(poll: LedPoll, text: string): string {
  const figures = figuresSentence(poll);
  const sentences = [otherLeader(poll), figures === null ? null : `${figures}.`, text];
  return sentences.filter(Boolean).join(' ').trim();
}

import { randomOrders } from '#contract/vocabulary.ts';
import type { OptionOrder } from '#contract/vocabulary.ts';
import { scaleOf } from './chart-form.ts';

/** Answers that people look for at the end of a list. */
const lastAnswer =
  /^(other\b|others$|another\b|something else|someone else|none\b|neither\b|all of (the above|these|them)|both\b|(i )?(do(n’t|n't| not) (know|care|mind)|not sure|unsure|undecided|no (opinion|answer|preference)|prefer not))/;

/**
 * The order of new polls with these offered options: random but for up to three answers such as “Other” at the end, and fixed
 * for the steps of a scale, and where fewer than two answers would move.
 */
export function defaultOrder(texts: readonly string[]): Exclude<OptionOrder, 'auto'> {
  if (scaleOf(texts) !== null) return 'fixed';
  const ends = texts.toReversed().findIndex((text) => !lastAnswer.test(text.trim().toLowerCase()));
  const pinned = Math.min(ends === -1 ? texts.length : ends, randomOrders.length - 1);
  return texts.length - pinned < 2 ? 'fixed' : randomOrders[pinned]!;
}

/** An order as it is stored: `auto` becomes the one that follows from these offered options. */
export const orderOf = (order: OptionOrder, texts: readonly string[]): Exclude<OptionOrder, 'auto'> =>
  order === 'auto' ? defaultOrder(texts) : order;

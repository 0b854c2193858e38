import { randomOrders } from '#contract/vocabulary.ts';
import type { OptionOrder } from '#contract/vocabulary.ts';
import { scaleOf } from './chart-form.ts';

/** Answers that people look for at the end of a list. */
const lastAnswer =
  /^(other\b|others$|another\b|something else|someone else|none\b|neither\b|all of (the above|these|them)|both\b|(i )?(do(n’t|n't| not) (know|care|mind)|not sure|unsure|undecided|no (opinion|answer|preference)|prefer not))/;

/** A day of the week, a month, or a date. */
const day =
  /\b((mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|january|february|march|april|june|july|august|september|october|november|december|(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.? \d+)\b|^may$/;

/** A number at the start, with words such as “under” and “at least” before it. */
const amount =
  /^(?:(?:under|over|up to|at (?:least|most)|about|before|after|(?:less|fewer|more) than|[<>≤≥~$€£]) ?)*([-−]?\d[\d,]*(?:[.:]\d+)?)( ?[ap]\.?m\b)?/;

/** The amount at the start of an answer; NaN without one. Hours after noon are those of a day. */
function amountOf(text: string): number {
  if (/^(none|never|no)\b/.test(text)) return 0;
  const [, digits, half] = amount.exec(text) ?? [];
  const number = Number(digits?.replaceAll(',', '').replace(':', '.').replace('−', '-'));
  return half === undefined ? number : (number % 12) + (half.includes('p') ? 12 : 0);
}

/** Whether people look for these answers in their order in time, or from small to large or back; at least three. */
function isSequence(texts: readonly string[]): boolean {
  if (texts.length < 3) return false;
  if (texts.every((text) => day.test(text))) return true;
  const numbers = texts.map(amountOf);
  const steps = numbers.slice(1).map((number, index) => number - numbers[index]!);
  return numbers[0] !== numbers.at(-1) && (steps.every((step) => step >= 0) || steps.every((step) => step <= 0));
}

/**
 * The order of new polls with these offered options: random but for up to three answers such as “Other” at the end, and fixed
 * for the steps of a scale, days, and amounts, and where fewer than two answers would move.
 */
export function defaultOrder(texts: readonly string[]): Exclude<OptionOrder, 'auto'> {
  const words = texts.map((text) => text.trim().toLowerCase());
  const ends = words.toReversed().findIndex((text) => !lastAnswer.test(text));
  if (scaleOf(texts) !== null || isSequence(ends === -1 ? [] : words.slice(0, words.length - ends))) return 'fixed';
  const pinned = Math.min(ends === -1 ? texts.length : ends, randomOrders.length - 1);
  return texts.length - pinned < 2 ? 'fixed' : randomOrders[pinned]!;
}

/** An order as it is stored: `auto` becomes the one that follows from these offered options. */
export const orderOf = (order: OptionOrder, texts: readonly string[]): Exclude<OptionOrder, 'auto'> =>
  order === 'auto' ? defaultOrder(texts) : order;

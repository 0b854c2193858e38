import { severalTexts } from '#texts/choices.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { choicesOf, isClosed } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';

/** How a vote chooses several options, in a sentence; null where it chooses one. */
export function ruleOf(
  poll: Pick<AnyPoll, 'question'> & Pick<Partial<AnyPoll>, 'method' | 'minChoices' | 'maxChoices'>,
): string | null {
  const choices = choicesOf(poll);
  if (choices.max === 1) return null;
  return (poll.method === 'ranked' ? rankedTexts : severalTexts).rule(choices);
}

/** What the percentages of a poll are of, in a sentence; null where a vote chooses one option. */
export function sharesOf(poll: AnyPoll): string | null {
  const choices = choicesOf(poll);
  if (choices.max === 1) return null;
  if (poll.method !== 'ranked') return severalTexts.shares(choices);
  return isClosed(poll) ? rankedTexts.shares : `${rankedTexts.shares} ${rankedTexts.atEnd}`;
}

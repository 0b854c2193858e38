import { range, severalTexts } from './choices.ts';
import type { Choices } from './choices.ts';

/** The ballot and the results of a poll on which a vote ranks options. */
export const rankedTexts = {
  legend: 'Your ranking',
  rule: (choices: Choices) =>
    `Put ${range(choices)} in order, your favorite first. If your favorite is eliminated, your vote goes to your next choice.`,
  rankOf: (option: string) => `Rank of ${option}`,
  unrankedValue: '–',
  up: (option: string) => `Move ${option} up`,
  down: (option: string) => `Move ${option} down`,
  /** Below the ranked options, above the others. */
  line: { none: 'Drag options above this line, or use the numbers or arrows.', some: 'Not ranked', all: 'All ranked' },
  /** Announced after a move. */
  moved: (option: string, place: number, of: number) => `${option} is now choice ${place} of ${of}.`,
  unranked: (option: string) => `${option} is not ranked now.`,
  sameRank: 'You gave two options the same rank. Go back to the poll, and give each rank once.',
  /** What one vote chose, in order. */
  list: (options: readonly string[]) => options.map((option, place) => `${place + 1}. ${option}`).join(', '),
  shares: 'The bars show first choices, as percentages of voters.',
  /** Because two counts, one vote apart, would show how somebody voted. */
  atEnd: 'The rounds that decide are counted when the poll has ended.',
  /** The result; `percent` is of `counted` votes. */
  wins: (option: string, round: number, percent: string, counted: string) =>
    `${option} wins in round ${round}, with ${percent} of the ${counted} votes left in it.`,
  tie: (options: readonly string[]) => `Nobody wins: ${severalTexts.list(options)} are equal in all rounds.`,
  rounds: 'How the votes were counted',
  option: 'Option',
  round: (round: number) => `Round ${round}`,
  eliminated: 'eliminated',
  byRule: 'eliminated by the rule for ties',
  gone: 'out',
  exhausted: 'No option left',
  method:
    'In each round the option with the fewest votes is eliminated, and its votes go to their next choice, until one option has more than half. Percentages are of the votes that still rank an option in that round. Of options with equally few votes, the one with fewer votes in the round before is eliminated; if they were equal in all rounds, the last one in the poll’s own order.',
} as const;

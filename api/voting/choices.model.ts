import type { BallotMethod } from '#contract/vocabulary.ts';

/** What a vote chooses. */
export interface Chosen {
  readonly optionId: string;
  /** Further options, in the order in which the vote names them; left out for one option. */
  readonly further?: readonly string[] | undefined;
}

/** How many options a vote on a ballot chooses, and how they count. */
export interface BallotChoice {
  readonly method: BallotMethod;
  readonly min: number;
  readonly max: number;
}

export const oneChoice: BallotChoice = { method: 'single', min: 1, max: 1 };

/** The columns of a ballot with it. */
export const choiceColumns = ({ method, min, max }: BallotChoice) =>
  ({ method, min_choices: min, max_choices: max }) as const;

export const choiceOf = (ballot: {
  readonly method: BallotMethod;
  readonly min_choices: number;
  readonly max_choices: number;
}): BallotChoice => ({ method: ballot.method, min: ballot.min_choices, max: ballot.max_choices });

/**
 * The votes that percentages are of: voters. Options and ballot are read one after the other while votes arrive: where a vote has
 * one option, this is their sum, and otherwise no fewer votes than an option has.
 */
export function totalOf(
  { method, total_votes: total }: { readonly method: BallotMethod; readonly total_votes: number },
  options: readonly { readonly votes: number }[],
): number {
  const votes = options.map((option) => option.votes);
  return method === 'single' ? votes.reduce((sum, count) => sum + count, 0) : Math.max(total, ...votes);
}

/** Whether two ballots ask for the same. */
export const isSameChoice = (one: BallotChoice, other: BallotChoice): boolean =>
  one.method === other.method && one.min === other.min && one.max === other.max;

/** The keys of further options as the row of a vote has them: in its order, with commas around. */
export const furtherKeys = (keys: readonly number[]): string | null => (keys.length === 0 ? null : `,${keys.join()},`);

/** The keys in such a column. */
export const readFurther = (column: string | null): number[] =>
  column === null ? [] : column.slice(1, -1).split(',').map(Number);

/** SQL: whether a vote names an option among its further ones, by its key; on both engines. */
export const namesFurther = (vote: string, key: string): string =>
  `${vote}.further_options like '%,' || ${key} || ',%'`;

/** SQL: whether a vote of `votes` counts for its further options, too. */
export const countsFurther = `votes.further_options is not null
  and exists (select 1 from ballots b where b.key = votes.ballot_key and b.method = 'several')`;

/**
 * SQL for FROM: votes as `v` with each further option that they count for as `f`, and their ballots as `b`. Votes that
 * choose several options count for each; of a ranked vote, only the first preference counts.
 */
export const countedFurther = (votes = 'votes'): string =>
  `${votes} v join ballots b on b.key = v.ballot_key and b.method = 'several'
   join ballot_options f on f.ballot_id = b.id and v.further_options is not null and ${namesFurther('v', 'f.key')}`;

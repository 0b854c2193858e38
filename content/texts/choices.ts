/** How many options a vote chooses. */
export interface Choices {
  readonly min: number;
  readonly max: number;
}

// Created once, because creating one is slow.
const lists = new Intl.ListFormat('en-US', { type: 'conjunction' });

const options = (count: number) => (count === 1 ? '1 option' : `${count} options`);

/** The end of a sentence about a number of options, such as “2 to 3 options”. */
export const range = ({ min, max }: Choices): string =>
  min === max ? options(max) : min === 1 ? `up to ${options(max)}` : `${min} to ${options(max)}`;

/** The refusal of a vote that chooses another number of options. */
export const choicesText = (choices: Choices): string =>
  `This poll asks for ${range(choices)}. Choose as many, and vote again.`;

/** The ballot and the results of a poll on which a vote may choose several options. */
export const severalTexts = {
  legend: 'Your answers',
  rule: (choices: Choices) => `Choose ${range(choices)}.`,
  /** How far this visitor is; the rule is before it. */
  chosen: (chosen: number, { max }: Choices) =>
    chosen === 0 ? '' : chosen < max ? `${chosen} chosen.` : `${chosen} chosen: to choose another, take one back.`,
  /** What one vote chose. */
  list: (options: readonly string[]) => lists.format(options),
  voters: (count: number, formatted: string) => (count === 1 ? `${formatted} voter` : `${formatted} voters`),
  shares: (choices: Choices) =>
    `Percentages are of voters, who could choose ${range(choices)}: together they can be more than 100%.`,
} as const;

/** The fields of a creator’s form. */
export const choiceTexts = {
  method: 'Voters choose',
  methods: { single: 'One option', several: 'Several options', ranked: 'Ranked choice: options in order' },
  means: {
    single: 'The option with the most votes leads.',
    several: 'All options that somebody chooses count alike. Percentages are of voters.',
    ranked:
      'Round by round, the last option is eliminated, and its votes go to their next choice, until one has more than half.',
  },
  least: 'At least',
  most: 'At most',
  all: 'All options',
} as const;

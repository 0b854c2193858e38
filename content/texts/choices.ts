/** How many options a vote chooses. */
interface Choices {
  readonly min: number;
  readonly max: number;
}

/** The end of a sentence about a number of options, such as “2 to 3 options”. */
const range = ({ min, max }: Choices): string =>
  min === max
    ? `${max} ${max === 1 ? 'option' : 'options'}`
    : min === 1
      ? `up to ${max} options`
      : `${min} to ${max} options`;

/** The refusal of a vote that chooses another number of options. */
export const choicesText = (choices: Choices): string =>
  `This poll asks for ${range(choices)}. Choose as many, and vote again.`;

/** A list of options that can be edited and reordered. */
export const optionListTexts = {
  heading: 'Options',
  option: (position: number) => `Option ${position}`,
  addOption: 'Add option',
  moveUp: (position: number) => `Move option ${position} up`,
  moveDown: (position: number) => `Move option ${position} down`,
  remove: (position: number) => `Remove option ${position}`,
  drag: 'Drag to reorder',
  hint: 'You can paste a list, one option per line.',
  moved: (from: number, to: number) => `Option ${from} is now option ${to}.`,
  removed: (position: number) => `Option ${position} removed.`,
  added: (position: number) => `Option ${position} added.`,
  filled: (count: number, leftOut: number, most: number) =>
    `${count === 1 ? 'One option' : `${count} options`} filled in.${leftOut === 0 ? '' : ` There was no room for ${leftOut} more: a poll can have at most ${most} options.`}`,
  notOffered: 'not offered',
  templates: 'Start with a template',
  yesNo: 'Yes or no',
  yesNoOptions: ['Yes', 'No', 'Don’t know'],
  agree: 'Agree or disagree',
  /** Where fewer than five are offered, without the first and the last. */
  agreeOptions: ['Strongly agree', 'Agree', 'Neither agree nor disagree', 'Disagree', 'Strongly disagree'],
  dates: 'The next days',
} as const;

/** A list of options that can be edited and reordered. */
export const optionListTexts = {
  heading: 'Options',
  option: (position: number) => `Option ${position}`,
  addOption: 'Add option',
  moveUp: (position: number) => `Move option ${position} up`,
  moveDown: (position: number) => `Move option ${position} down`,
  remove: (position: number) => `Remove option ${position}`,
  drag: 'Drag to reorder',
  moved: (from: number, to: number) => `Option ${from} is now option ${to}.`,
  removed: (position: number) => `Option ${position} removed.`,
  added: (position: number) => `Option ${position} added.`,
} as const;

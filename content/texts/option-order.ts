import type { OptionOrder } from '#contract/vocabulary.ts';

export const optionOrderTexts = {
  label: 'Order of the answers',
  hint: 'The answer that stands first gets some votes for standing there. With a random order, each browser shows another one.',
  names: {
    auto: 'Random, unless they are steps of a scale',
    fixed: 'The same for everyone',
    random: 'Random',
    'random-1': 'Random, the last one stays last',
    'random-2': 'Random, the last two stay last',
    'random-3': 'Random, the last three stay last',
  } satisfies Record<OptionOrder, string>,
} as const;

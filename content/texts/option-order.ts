import type { OptionOrder } from '#contract/vocabulary.ts';

export const optionOrderTexts = {
  label: 'Order of the options',
  hint: 'The first option gets some votes only for being first. A random order is another one in each browser.',
  names: {
    auto: 'Random, except ordered options',
    fixed: 'The same for everyone',
    random: 'Random',
    'random-1': 'Random, the last one stays last',
    'random-2': 'Random, the last two stay last',
    'random-3': 'Random, the last three stay last',
  } satisfies Record<OptionOrder, string>,
} as const;

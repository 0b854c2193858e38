import type { OptionOrder } from '#contract/vocabulary.ts';

/** By how many options at the end stay there. Apart from `option-order.ts`, because browsers need no more than this. */
export const randomOrders = ['random', 'random-1', 'random-2', 'random-3'] as const satisfies OptionOrder[];

/** How many options at the end stay there; null: all stay where they are. */
export function pinnedBy(order: OptionOrder | undefined): number | null {
  if (order === undefined || order === 'auto' || order === 'fixed') return null;
  return randomOrders.indexOf(order);
}

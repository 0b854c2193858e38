import { randomOrders } from '#contract/vocabulary.ts';
import type { OptionOrder } from '#contract/vocabulary.ts';

/** How many options at the end stay there; null: all stay where they are. Apart from `option-order.ts`, because browsers need no more. */
export function pinnedBy(order: OptionOrder | undefined): number | null {
  if (order === undefined || order === 'auto' || order === 'fixed') return null;
  return randomOrders.indexOf(order);
}

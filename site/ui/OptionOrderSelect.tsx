import type { ComponentProps } from 'react';
import { optionOrders } from '#contract/vocabulary.ts';
import type { OptionOrder } from '#contract/vocabulary.ts';
import { optionOrderTexts } from '#texts/option-order.ts';

interface OptionOrderSelectProps extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  readonly value: OptionOrder;
  readonly onChange: (order: OptionOrder) => void;
}

/** Chooses in which order voters see the answers. */
export function OptionOrderSelect({ value, onChange, ...control }: OptionOrderSelectProps) {
  return (
    <select
      {...control}
      className="input"
      value={value}
      onChange={({ target }) => onChange(optionOrders.find((order) => order === target.value)!)}
    >
      {optionOrders.map((order) => (
        <option key={order} value={order}>
          {optionOrderTexts.names[order]}
        </option>
      ))}
    </select>
  );
}

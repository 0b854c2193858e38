import { useId } from 'react';
import type { ComponentProps } from 'react';
import { Field } from './Field.tsx';

/** The values that can be chosen, with their texts. */
export type Choices<V extends string = string> = readonly (readonly [value: V, text: string])[];

/** The choices in a table of texts, in its order. */
export const choicesIn = <V extends string>(texts: Readonly<Partial<Record<V, string>>>) =>
  Object.entries(texts) as [V, string][];

interface SelectFieldProps<V extends string> extends Omit<ComponentProps<typeof Field>, 'id' | 'children'> {
  readonly name?: string;
  readonly value: V;
  readonly choices: Choices<V>;
  readonly disabled?: boolean;
  readonly onChange: (value: V) => void;
}

/** A labeled list to choose from. */
export function SelectField<V extends string>(props: SelectFieldProps<V>) {
  const { name, value, choices, disabled, onChange, ...field } = props;
  return (
    <Field {...field} id={useId()}>
      {(control) => (
        <select
          {...{ ...control, name, value, disabled }}
          className="input"
          onChange={({ target }) => onChange(target.value as V)}
        >
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

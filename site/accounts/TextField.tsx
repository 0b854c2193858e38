import { useId } from 'react';
import type { InputHTMLAttributes } from 'react';
import { Field } from '#site/ui/Field.tsx';
import { accountFieldTexts as texts } from '#texts/accounts.ts';

interface TextFieldProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'defaultValue' | 'onInput'
> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly optional?: boolean;
}

/** One line of text of an account. */
export function TextField({ name, label, hint, problem, optional = false, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} note={optional ? texts.optional : undefined} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          {...input}
          className="input"
          name={name}
          dir="auto"
          spellCheck={false}
          aria-required={!optional}
        />
      )}
    </Field>
  );
}

import { trimText } from '#domain/visible-text.ts';
import { Field } from '#site/ui/Field.tsx';

const name = 'reason';

interface ReasonFieldProps {
  readonly id: string;
  readonly label: string;
  readonly problem: string | undefined;
}

/** The field for the reason of a moderator’s decision. */
export function ReasonField(props: ReasonFieldProps) {
  return (
    <Field {...props}>
      {(control) => <input {...control} className="input" name={name} autoComplete="off" dir="auto" />}
    </Field>
  );
}

/** The reason in a submitted form, or an empty text. */
export function reasonIn(data: FormData): string {
  const typed = data.get(name);
  return trimText(typeof typed === 'string' ? typed : '');
}

import { Field } from '#site/ui/Field.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import styles from './CreatePoll.module.css';
import type { Draft, DraftField, DraftProblems } from './create-poll-draft.ts';

const names = ['startsAt', 'endsAt'] as const;
type TimeField = (typeof names)[number];

const words = {
  startsAt: { label: texts.starts, hint: texts.startsHint },
  endsAt: { label: texts.ends, hint: texts.endsHint },
} as const;

/** Years of more digits have no ISO 8601 text that the contract knows. */
const lastMoment = '9999-12-31T23:59';

interface CreatePollTimesProps {
  /** Begins the ids of the fields. */
  readonly id: string;
  readonly draft: Draft;
  readonly problemOf: (field: DraftField) => string | undefined;
  readonly onChange: (changes: Partial<Draft>, field: TimeField) => void;
  /** `problem`: what the field itself finds wrong, null for nothing. */
  readonly onLeave: (field: TimeField, problem: string | null) => void;
}

/** When the poll is open, in the reader's own time; both ends are optional. */
export function CreatePollTimes({ id, draft, problemOf, onChange, onLeave }: CreatePollTimesProps) {
  return (
    <fieldset className={styles.times}>
      <legend className={styles.legend}>{texts.times}</legend>
      <p className={styles.hint}>{texts.timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
      {names.map((name) => (
        <Field
          key={name}
          id={`${id}-${name}`}
          label={words[name].label}
          note={texts.optional}
          hint={words[name].hint}
          problem={problemOf(name)}
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              name={name}
              className="input"
              max={lastMoment}
              value={draft[name]}
              onChange={({ target }) => onChange({ [name]: target.value }, name)}
              onBlur={({ target }) => onLeave(name, incomplete(target, name))}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

/** A date field that is half filled in has no value, and only the browser knows that something is there. */
function incomplete(field: HTMLInputElement, name: TimeField): string | null {
  return field.validity.badInput ? texts.incomplete(words[name].label) : null;
}

/** What the date fields of a form find wrong themselves. */
export function incompleteTimes(form: HTMLFormElement): DraftProblems {
  return new Map(
    names.flatMap((name) => {
      const field = form.elements.namedItem(name);
      const problem = field instanceof HTMLInputElement ? incomplete(field, name) : null;
      return problem === null ? [] : [[name, problem]];
    }),
  );
}

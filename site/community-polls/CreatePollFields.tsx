import * as limits from '#contract/limits.ts';
import { Field } from '#site/ui/Field.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import styles from './CreatePoll.module.css';
import type { DraftField, DraftProblems } from './create-poll-draft.ts';
import type { Draft } from './create-poll-storage.ts';

const names = ['startsAt', 'endsAt'] as const;
type TimeField = (typeof names)[number];

const labels = {
  startsAt: { label: texts.starts, hint: texts.startsHint },
  endsAt: { label: texts.ends, hint: texts.endsHint },
} as const;

interface CreatePollTimesProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly draft: Draft;
  readonly problemOf: (field: DraftField) => string | undefined;
  readonly onChange: (changes: Partial<Draft>, field: TimeField) => void;
  /** `problem`: the browser’s own complaint about the field, or null. */
  readonly onBlur: (field: TimeField, problem: string | null) => void;
}

/** When the poll is open, in the reader’s time zone; both times are optional. */
export function CreatePollTimes({ id, draft, problemOf, onChange, onBlur }: CreatePollTimesProps) {
  return (
    <fieldset className={styles.times}>
      <legend className={styles.legend}>{texts.times}</legend>
      <p className={styles.hint}>{texts.timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
      {names.map((name) => (
        <Field
          key={name}
          id={`${id}-${name}`}
          label={labels[name].label}
          note={texts.optional}
          hint={labels[name].hint}
          problem={problemOf(name)}
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              name={name}
              className="input"
              max={limits.latestLocalTime}
              value={draft[name]}
              onChange={({ target }) => onChange({ [name]: target.value }, name)}
              onBlur={({ target }) => onBlur(name, incomplete(target, name))}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

/** A partly filled date field has an empty value; only the browser knows it isn’t blank. */
function incomplete(field: HTMLInputElement, name: TimeField): string | null {
  return field.validity.badInput ? texts.incomplete(labels[name].label) : null;
}

/** The date fields of a form that are only partly filled in. */
export function incompleteTimes(form: HTMLFormElement): DraftProblems {
  return new Map(
    names.flatMap((name) => {
      const field = form.elements.namedItem(name);
      const problem = field instanceof HTMLInputElement ? incomplete(field, name) : null;
      return problem === null ? [] : [[name, problem]];
    }),
  );
}

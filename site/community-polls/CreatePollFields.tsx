import type { KeyboardEvent } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { isBlank } from '#domain/visible-text.ts';
import { Field } from '#site/ui/Field.tsx';
import { createPollTexts as texts } from '#texts/community.ts';
import styles from './CreatePoll.module.css';
import type { OptionField, DraftField, DraftProblems } from './create-poll-draft.ts';
import type { Draft, DraftOption } from './create-poll-storage.ts';
import { optionField } from './create-poll-draft.ts';

interface CreatePollOptionsProps {
  /** Prefix of the fields’ ids. */
  readonly id: string;
  readonly options: readonly DraftOption[];
  readonly problem: string | undefined;
  readonly problemOf: (field: OptionField) => string | undefined;
  /** `field`: the edited option, or “options” when the list itself changed. */
  readonly onChange: (options: readonly DraftOption[], field: 'options' | OptionField) => void;
  readonly onBlur: (field: OptionField) => void;
}

type Control = 'text' | 'up' | 'down';

/** The options: edit, add, remove, and reorder with buttons, which work without dragging. */
export function CreatePollOptions({ id, options, problem, problemOf, onChange, onBlur }: CreatePollOptionsProps) {
  const controls = useRef(new Map<string, HTMLElement>());
  const focusNext = useRef<string>(null);
  const [announcement, setAnnouncement] = useState('');
  const min = limits.communityOptionsMin;
  const max = limits.communityOptionsMax;

  // Changed rows would lose the focus: restore it where editing continues.
  useLayoutEffect(() => {
    if (focusNext.current === null) return;
    controls.current.get(focusNext.current)?.focus();
    focusNext.current = null;
  });

  const controlRef = (control: Control, key: number) => (element: HTMLElement | null) => {
    const name = `${control} ${key}`;
    if (element === null) controls.current.delete(name);
    else controls.current.set(name, element);
  };
  const focus = (control: Control, option: DraftOption | undefined) => {
    focusNext.current = option ? `${control} ${option.key}` : null;
  };

  const add = () => {
    const added = { key: Math.max(...options.map(({ key }) => key)) + 1, text: '' };
    focus('text', added);
    setAnnouncement(texts.added(options.length + 1));
    onChange([...options, added], 'options');
  };
  const remove = (index: number) => {
    const rest = options.filter((_, position) => position !== index);
    focus('text', rest[Math.min(index, rest.length - 1)]);
    setAnnouncement(texts.removed(index + 1));
    onChange(rest, 'options');
  };
  const move = (index: number, to: number) => {
    const moved = options[index];
    if (moved === undefined || to < 0 || to >= options.length) return;
    // At either end only the button for the other direction is enabled.
    const up = to < index;
    focus(up ? (to === 0 ? 'down' : 'up') : to === options.length - 1 ? 'up' : 'down', moved);
    setAnnouncement(texts.moved(index + 1, to + 1));
    onChange(options.with(index, options[to]!).with(to, moved), 'options');
  };
  const handleKey = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter moves to the next option and never submits an unfinished poll.
    event.preventDefault();
    const next = options[index + 1];
    if (next) controls.current.get(`text ${next.key}`)?.focus();
    else if (options.length < max && !isBlank(options[index]?.text ?? '')) add();
  };

  return (
    <fieldset className={styles.options} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{texts.options}</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        {texts.optionsHint}
      </p>
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <ol className={styles.optionList}>
        {options.map((option, index) => {
          const field = optionField(option);
          const position = index + 1;
          return (
            <li key={option.key} className={styles.option}>
              <Field
                id={`${id}-${option.key}`}
                label={texts.option(position)}
                problem={problemOf(field)}
                className={styles.optionField}
              >
                {(control) => (
                  <input
                    {...control}
                    ref={controlRef('text', option.key)}
                    className="input"
                    dir="auto"
                    autoComplete="off"
                    required={index < min}
                    value={option.text}
                    onChange={({ target }) => onChange(options.with(index, { ...option, text: target.value }), field)}
                    onBlur={() => onBlur(field)}
                    onKeyDown={(event) => handleKey(event, index)}
                  />
                )}
              </Field>
              <div className={styles.tools}>
                <button
                  ref={controlRef('up', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveUp(position)}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <Icon path="M10 16V4M4.5 9.5 10 4l5.5 5.5" />
                </button>
                <button
                  ref={controlRef('down', option.key)}
                  type="button"
                  className={styles.tool}
                  aria-label={texts.moveDown(position)}
                  disabled={index === options.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <Icon path="M10 4v12M4.5 10.5 10 16l5.5-5.5" />
                </button>
                {options.length > min && (
                  <button
                    type="button"
                    className={styles.tool}
                    aria-label={texts.remove(position)}
                    onClick={() => remove(index)}
                  >
                    <Icon path="m5 5 10 10M15 5 5 15" />
                  </button>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      <div className="row">
        {options.length < max ? (
          <button type="button" className="button button--small" onClick={add}>
            {texts.addOption}
          </button>
        ) : (
          <p className={styles.hint}>{texts.optionsFull}</p>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </fieldset>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}

const names = ['startsAt', 'endsAt'] as const;
type TimeField = (typeof names)[number];

const labels = {
  startsAt: { label: texts.starts, hint: texts.startsHint },
  endsAt: { label: texts.ends, hint: texts.endsHint },
} as const;

/** The contract’s date format allows four-digit years only. */
const latestTime = '9999-12-31T23:59';

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
              max={latestTime}
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

import { useState } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import * as limits from '#contract/limits.ts';
import { readLocalTime } from '#domain/time-zone.ts';
import { timeFieldTexts as texts } from '#texts/time-field.ts';
import { Field } from './Field.tsx';
import styles from './MomentField.module.css';

interface MomentFieldProps {
  readonly id: string;
  readonly label: string;
  readonly note?: ReactNode;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** A date and an optional time: “2026-11-23T09:00”, “2026-11-23”; blank if there is neither. */
  readonly value: string;
  /** The time zone of the value, which the field names. */
  readonly zone: string;
  /** Without a time, the end of the day counts. */
  readonly isEnd: boolean;
  readonly readOnly?: boolean;
  readonly onChange: (value: string) => void;
  /** `isIncomplete`: the browser can’t read what was typed, and reports a blank value. */
  readonly onBlur?: (isIncomplete: boolean) => void;
}

/** Why a date field’s value is not a moment; undefined if it is one or is blank. */
export function momentProblem(value: string, label: string, zone: string): string | undefined {
  const found = readLocalTime(value, zone, false);
  if (found === 'skipped') return texts.skipped(zone);
  return found === 'incomplete' ? texts.incomplete(label) : undefined;
}

const timeId = (id: string) => `${id}-time`;

/** A date with an optional time in a named time zone; a time that clocks skip is refused where it is typed. */
export function MomentField(props: MomentFieldProps) {
  const { id, label, note, hint, problem, value, zone, isEnd, readOnly = false, onChange, onBlur } = props;
  const [date = '', time = ''] = value.split('T');
  // A time may be typed before its date.
  const [isLeft, setLeft] = useState(false);
  const own = date !== '' || isLeft ? momentProblem(value, label, zone) : undefined;
  const blur = (event: FocusEvent<HTMLInputElement>) => {
    if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) setLeft(true);
    onBlur?.(event.target.validity.badInput);
  };
  const change = (newDate: string, newTime: string) => onChange(newTime === '' ? newDate : `${newDate}T${newTime}`);
  const shared = { className: 'input', readOnly } as const;
  return (
    <Field
      id={id}
      label={label}
      note={note}
      problem={own ?? problem}
      hint={[hint, !readOnly && texts.withoutTime[isEnd ? 'end' : 'start'], texts.zone(zone)].filter(Boolean).join(' ')}
    >
      {(control) => (
        <div className={styles.parts}>
          <input
            {...control}
            {...shared}
            type="date"
            max={limits.latestLocalTime.slice(0, 10)}
            value={date}
            // A date that is deleted takes its time along; one that is only partly typed has no value, either.
            onChange={({ target }) => change(target.value, target.value !== '' || target.validity.badInput ? time : '')}
            onBlur={blur}
          />
          <input
            {...control}
            {...shared}
            id={timeId(id)}
            type="time"
            aria-label={texts.time(label)}
            value={time}
            onChange={({ target }) => change(date, target.value)}
            onBlur={blur}
          />
        </div>
      )}
    </Field>
  );
}

/** Whether a {@link MomentField} is only partly filled in, so that its value is blank. */
export function hasBadInput(form: HTMLFormElement, id: string): boolean {
  return [id, timeId(id)].some((part) => {
    const field = form.querySelector(`#${CSS.escape(part)}`);
    return field instanceof HTMLInputElement && field.validity.badInput;
  });
}

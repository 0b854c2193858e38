import { useState } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { readLocalTime } from '#domain/time-zone.ts';
import { timeFieldTexts as texts } from '#texts/time-field.ts';
import { Field } from './Field.tsx';
import styles from './MomentField.module.css';

interface MomentFieldProps {
  readonly id: string;
  /** Of both of its inputs. */
  readonly name: string;
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
}

/** Why a date field’s value is not a moment; undefined if it is one or is blank. */
function momentProblem(value: string, label: string, zone: string): string | undefined {
  const found = readLocalTime(value, zone, false);
  if (found === 'skipped') return texts.skipped(zone);
  return found === 'incomplete' ? texts.incomplete(label) : undefined;
}

/** Why a {@link MomentField} of a form has no moment: also if it is only partly filled in, so that its value is blank. */
export function momentErrors(
  form: HTMLFormElement,
  { name, value, label, zone }: Pick<MomentFieldProps, 'name' | 'value' | 'label' | 'zone'>,
): FieldError[] {
  const isIncomplete = [...form.elements].some(
    (field) => field instanceof HTMLInputElement && field.name === name && field.validity.badInput,
  );
  const message = isIncomplete ? texts.incomplete(label) : momentProblem(value, label, zone);
  return message === undefined ? [] : [{ field: name, message }];
}

/** A date with an optional time in a named time zone; a time that clocks skip is refused where it is typed. */
export function MomentField(props: MomentFieldProps) {
  const { id, name, label, note, hint, problem, value, zone, isEnd, readOnly = false, onChange } = props;
  const [date = '', time = ''] = value.split('T');
  // A time may be typed before its date.
  const [isLeft, setLeft] = useState(false);
  const own = date !== '' || isLeft ? momentProblem(value, label, zone) : undefined;
  const blur = (event: FocusEvent<HTMLInputElement>) => {
    if (!event.currentTarget.parentElement?.contains(event.relatedTarget)) setLeft(true);
  };
  const change = (newDate: string, newTime: string) => onChange(newTime === '' ? newDate : `${newDate}T${newTime}`);
  const shared = { className: 'input', name, readOnly } as const;
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
            id={`${id}-time`}
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

import type { ReactNode } from 'react';
import styles from './Field.module.css';

/** Attributes that connect the input, select, or textarea with its label and descriptions. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  /** Id of the control, and prefix of the ids of its descriptions. */
  readonly id: string;
  readonly label: string;
  /** Next to the label: "optional", or a character count. */
  readonly note?: ReactNode;
  /** Help text, always visible. */
  readonly hint?: ReactNode;
  /** Error message. */
  readonly problem?: string | undefined;
  readonly className?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A labeled control with its hint and error message, connected for assistive technology. */
export function Field({ id, label, note, hint, problem, className, children }: FieldProps) {
  const describedBy = [
    problem !== undefined && `${id}-problem`,
    hint !== undefined && `${id}-hint`,
    note !== undefined && `${id}-note`,
  ].filter((part) => part !== false);
  return (
    <div className={`field ${styles.field} ${className ?? ''}`.trim()}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {note !== undefined && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </div>
      {children({
        id,
        ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
        ...(problem !== undefined && { 'aria-invalid': true }),
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './Field.module.css';

/** What ties a control to its field's words; to be spread over the input, select or textarea. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  /** Of the control; the words below it get ids of their own from it. */
  readonly id: string;
  readonly label: string;
  /** Beside the label: "optional", or how much is written. */
  readonly note?: ReactNode;
  /** What helps to fill it in, always there. */
  readonly hint?: ReactNode;
  /** Why it was refused. */
  readonly problem?: string | undefined;
  readonly className?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A labelled control with its hint and, when something is wrong, the reason beside it, tied together for every reader. */
export function Field({ id, label, note, hint, problem, className, children }: FieldProps) {
  const describing = [
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
        ...(describing.length > 0 && { 'aria-describedby': describing.join(' ') }),
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

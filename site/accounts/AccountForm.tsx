import type { ReactNode } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Vane } from '#site/ui/Vane.tsx';
import styles from './AccountForm.module.css';
import type { Submission } from './use-submission.ts';

interface AccountFormProps {
  readonly submission: Submission;
  /** On the button, and while the form is on its way. */
  readonly action: string;
  readonly pendingAction: string;
  readonly wide?: boolean;
  /** What is pressed cannot be undone. */
  readonly dangerous?: boolean;
  /** The way out, beside the button. */
  readonly cancel?: ReactNode;
  readonly children: ReactNode;
}

/** A form of an account: its fields, what is wrong with all of it, and the button. */
export function AccountForm({
  submission,
  action,
  pendingAction,
  wide = false,
  dangerous = false,
  cancel,
  children,
}: AccountFormProps) {
  const { pending, formProblem, form } = submission;
  // Before the page is awake the browser itself would send it, as the address of a page.
  const asleep = !useHydrated();
  return (
    <form {...form} className={styles.form} aria-busy={pending}>
      <fieldset className={styles.fields} disabled={pending}>
        {children}
      </fieldset>
      {formProblem !== null && (
        <p className={styles.problem} role="alert">
          {formProblem}
        </p>
      )}
      {/* With a way out it is a dialog's: the ways stand in the order of every dialog. */}
      <div className={`${styles.buttons} ${cancel === undefined ? '' : styles.ways}`.trim()}>
        {cancel}
        <button
          type="submit"
          className={`button ${dangerous ? 'button--danger' : 'button--primary'} ${wide ? 'button--wide' : ''} ${styles.submit}`}
          disabled={pending || asleep}
        >
          {pending && <Vane busy />}
          {pending ? pendingAction : action}
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {pending && pendingAction}
      </p>
    </form>
  );
}

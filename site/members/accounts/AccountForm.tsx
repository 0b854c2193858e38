import { useId, useState } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';
import type { FormState } from '#site/client/use-form.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Field } from '#site/ui/Field.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { accountFieldTexts as texts } from '#texts/accounts.ts';
import styles from './AccountForm.module.css';

interface AccountFormProps {
  readonly state: FormState;
  /** Label of the submit button, and its label while the form is being sent. */
  readonly action: string;
  readonly pendingAction: string;
  readonly wide?: boolean;
  /** Whether the action can't be undone. */
  readonly dangerous?: boolean;
  /** A cancel button next to the submit button. */
  readonly cancel?: ReactNode;
  readonly children: ReactNode;
}

/** An account form: its fields, its error message, and its submit button. */
export function AccountForm({
  state,
  action,
  pendingAction,
  wide = false,
  dangerous = false,
  cancel,
  children,
}: AccountFormProps) {
  const { pending, formProblem, form } = state;
  // Before hydration the browser itself would submit the form.
  const hydrated = useHydrated();
  return (
    <form {...form} className={styles.form} aria-busy={pending}>
      <fieldset className={styles.fields} disabled={pending}>
        {children}
      </fieldset>
      {formProblem !== null && (
        <p className="refusal" role="alert">
          {formProblem}
        </p>
      )}
      {/* With a cancel button the form is in a dialog and orders its buttons as dialogs do. */}
      <div className={`${styles.buttons} ${cancel === undefined ? '' : styles.dialogButtons}`.trim()}>
        {cancel}
        <button
          type="submit"
          className={`button ${dangerous ? 'button--danger' : 'button--primary'} ${wide ? 'button--wide' : ''} ${styles.submit}`}
          disabled={pending || !hydrated}
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

/** A single-line text field of an account form. */
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

/** Tells password managers, and nobody else, which account the passwords of a form belong to. */
export function AccountName({ username }: { readonly username: string }) {
  return <input type="text" autoComplete="username" value={username} readOnly hidden />;
}

interface PasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly hint?: string;
  readonly problem: string | undefined;
}

/** A password field with a button that reveals the password. */
export function PasswordField({ name, label, autoComplete, hint, problem }: PasswordFieldProps) {
  const id = useId();
  const [revealed, setRevealed] = useState(false);
  const hydrated = useHydrated();
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      {(control) => (
        <span className={styles.password}>
          <input
            {...control}
            className="input"
            type={revealed ? 'text' : 'password'}
            name={name}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <button
            type="button"
            className={styles.reveal}
            aria-pressed={revealed}
            aria-controls={id}
            aria-label={texts.showPassword(label)}
            data-tooltip={texts.showPassword(label)}
            disabled={!hydrated}
            onClick={() => setRevealed(!revealed)}
          >
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
              <circle cx="12" cy="12" r="2.75" />
              {revealed && <path d="M4 20 20 4" />}
            </svg>
          </button>
        </span>
      )}
    </Field>
  );
}

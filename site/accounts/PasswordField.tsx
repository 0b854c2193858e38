import { useId, useState } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Field } from '#site/ui/Field.tsx';
import { accountFieldTexts as texts } from '#texts/accounts.ts';
import styles from './AccountForm.module.css';

interface PasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly hint?: string;
  readonly problem: string | undefined;
}

/** A password with a switch that shows what is typed. */
export function PasswordField({ name, label, autoComplete, hint, problem }: PasswordFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      {(control) => (
        <span className={styles.password}>
          <input
            {...control}
            className="input"
            type={shown ? 'text' : 'password'}
            name={name}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
          <button
            type="button"
            className={styles.show}
            aria-pressed={shown}
            aria-controls={id}
            aria-label={texts.showPassword(label)}
            data-tooltip={texts.showPassword(label)}
            disabled={!hydrated}
            onClick={() => setShown(!shown)}
          >
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
              <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
              <circle cx="12" cy="12" r="2.75" />
              {shown && <path d="M4 20 20 4" />}
            </svg>
          </button>
        </span>
      )}
    </Field>
  );
}

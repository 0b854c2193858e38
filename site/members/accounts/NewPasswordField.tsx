import { useEffect, useId, useRef, useState } from 'react';
import type { FieldError } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import type { PasswordOwner, PasswordStrength } from '#domain/password-strength.ts';
import { passwordTexts as texts } from '#texts/account-security.ts';
import { accountFieldTexts } from '#texts/accounts.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { PasswordField } from './AccountForm.tsx';
import styles from './NewPasswordField.module.css';

type Rule = typeof import('#domain/password-strength.ts');

/** The rule with its list of common passwords (230 kB), loaded when a new password is about to be typed. */
let rule: Rule | undefined;
const loadRule = async () => (rule ??= await import('#domain/password-strength.ts'));

/** What the server would say about the strength of a new password; nothing until the rule is loaded. */
export function weakPasswordErrors(
  field: string,
  password: string,
  owner: PasswordOwner,
  siteName?: string,
): FieldError[] {
  // The schema reports a password that is too short.
  if (rule === undefined || password.length < limits.passwordMin) return [];
  return fieldErrors(rule.passwordFindings(field, rule.passwordStrength(password, owner, siteName)));
}

interface NewPasswordFieldProps {
  readonly name: 'password' | 'newPassword';
  readonly label: string;
  readonly problem: string | undefined;
  /** The account that the password is for; by default the one in the fields of the form. */
  readonly owner?: PasswordOwner;
  readonly siteName?: string;
}

const ownerFields = ['username', 'email', 'firstName', 'lastName'] as const;

function ownerIn(form: HTMLFormElement | null): PasswordOwner {
  const data = form === null ? null : new FormData(form);
  return Object.fromEntries(
    ownerFields.map((name) => {
      const value = data?.get(name);
      return [name, typeof value === 'string' ? value : null];
    }),
  );
}

/** A field for a new password, with a meter that says in words how easy the password is to guess. */
export function NewPasswordField({ name, label, problem, owner, siteName }: NewPasswordFieldProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [strength, setStrength] = useState<PasswordStrength | 'short' | null>(null);

  const assess = () => {
    const input = root.current?.querySelector('input');
    const password = input?.value ?? '';
    if (rule === undefined || password === '') setStrength(null);
    else if (Array.from(password).length < limits.passwordMin) setStrength('short');
    else setStrength(rule.passwordStrength(password, owner ?? ownerIn(input?.form ?? null), siteName));
  };

  // After a reset of the form there is no password to assess.
  useEffect(() => {
    const form = root.current?.closest('form');
    const clear = () => setStrength(null);
    form?.addEventListener('reset', clear);
    return () => form?.removeEventListener('reset', clear);
  }, []);

  const level = strength === null ? null : strength === 'short' ? 0 : strength.score;
  const isShown = strength !== null && problem === undefined;
  return (
    <div
      ref={root}
      className={styles.root}
      onFocus={() => void loadRule().then(assess, () => undefined)}
      onInput={assess}
    >
      <PasswordField
        name={name}
        label={label}
        hint={accountFieldTexts.passwordHint}
        autoComplete="new-password"
        problem={problem}
      />
      <div className={styles.meter} data-level={level}>
        {isShown && <span className={styles.bar} aria-hidden="true" />}
        <p id={`${id}-strength`} className="small" role="status">
          {isShown && (strength === 'short' ? texts.short : texts.strength(strength.score, strength.weakness))}
        </p>
      </div>
    </div>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { routes } from '#contract/routes.ts';
import { callRoute } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { adminTexts as texts, adminToasts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { adminErrorMessage, unlock } from './admin-session.ts';

function useAdminSignIn(onFailure: () => void) {
  return useMutation<unknown, Error, string>(
    {
      mutationFn: (password) => callRoute<'adminSession'>(routes.adminSession, { body: { password } }),
      onSuccess: (_, password) => {
        toast(adminToasts.granted);
        unlock(password);
      },
      onError: onFailure,
    },
    queryClient(),
  );
}

/** The form that asks for the admin password and has the server check it. */
export function AdminSignIn() {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [revealed, setRevealed] = useState(false);
  const [missing, setMissing] = useState(false);
  // Before hydration the browser itself would submit the password.
  const hydrated = useHydrated();
  const focusField = () => field.current?.focus();
  const { mutate, reset, isPending, error } = useAdminSignIn(focusField);

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const password = field.current?.value ?? '';
    setMissing(password === '');
    if (password === '') focusField();
    else mutate(password);
  };
  const handleInput = () => {
    setMissing(false);
    if (error) reset();
  };

  return (
    <section className={`card ${styles.gate}`} aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`} tabIndex={-1}>
        {texts.locked}
      </h1>
      <p className="js-only muted">{texts.lockedText}</p>
      <p className="no-js-only">{texts.noScript}</p>
      <form className={`stack js-only ${styles.gateForm}`} method="post" noValidate onSubmit={handleSubmit}>
        <Field
          id={id}
          label={texts.password}
          problem={missing ? texts.noPassword : error ? adminErrorMessage(error) : undefined}
        >
          {(control) => (
            <input
              {...control}
              ref={field}
              className="input"
              type={revealed ? 'text' : 'password'}
              name="password"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              onInput={handleInput}
            />
          )}
        </Field>
        <label className={styles.check}>
          <input type="checkbox" checked={revealed} disabled={!hydrated} onChange={() => setRevealed(!revealed)} />
          {texts.show}
        </label>
        <button
          type="submit"
          className="button button--primary button--wide"
          disabled={!hydrated}
          aria-disabled={isPending}
        >
          {isPending ? texts.entering : texts.enter}
        </button>
      </form>
    </section>
  );
}

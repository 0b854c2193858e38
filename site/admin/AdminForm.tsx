import { useId, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { callApi } from '#site/client/api.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { adminTexts as texts, adminToasts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { sentenceOf, unlock } from './admin-session.ts';

/** Asks for the password; the server says at once whether it is right. */
export function AdminForm() {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Before the page is awake the browser itself would send the password, as a form to the page.
  const asleep = !useHydrated();

  const refuse = (sentence: string) => {
    setProblem(sentence);
    field.current?.focus();
  };
  const submit = async (password: string) => {
    if (password === '') {
      refuse(texts.noPassword);
      return;
    }
    setPending(true);
    try {
      await callApi('adminSession', { body: { password } });
      toast(adminToasts.granted);
      unlock(password);
    } catch (error) {
      setPending(false);
      refuse(sentenceOf(error));
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!pending) void submit(field.current?.value ?? '');
  };

  return (
    <section className={`card ${styles.gate}`} aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`} tabIndex={-1}>
        {texts.locked}
      </h1>
      <p className="js-only muted">{texts.lockedText}</p>
      <p className="no-js-only">{texts.noScript}</p>
      <form className={`stack js-only ${styles.gateForm}`} method="post" noValidate onSubmit={handleSubmit}>
        <Field id={id} label={texts.password} problem={problem}>
          {(control) => (
            <input
              {...control}
              ref={field}
              className="input"
              type={shown ? 'text' : 'password'}
              name="password"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              onInput={() => setProblem(undefined)}
            />
          )}
        </Field>
        <label className={styles.check}>
          <input type="checkbox" checked={shown} disabled={asleep} onChange={() => setShown(!shown)} />
          {texts.show}
        </label>
        <button type="submit" className="button button--primary button--wide" disabled={asleep} aria-disabled={pending}>
          {pending ? texts.entering : texts.enter}
        </button>
      </form>
    </section>
  );
}

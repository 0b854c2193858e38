import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { OperatorSession } from '#api/admin/operators/operators.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { signInAddress } from '#domain/next-path.ts';
import { ApiError, callRoute } from '#site/client/api.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { adminTexts as texts, adminToasts } from '#texts/admin.ts';
import { adminSignInTexts } from '#texts/operators.ts';
import styles from './Admin.module.css';
import { adminErrorMessage, adminKey, adminMember, hasLeft, leave, unlock } from './admin-session.ts';
import { ConfirmForm } from './ConfirmForm.tsx';

/** The form that asks for the shared password and has the server check it. */
function SharedPassword({ note }: { readonly note: ReactNode }) {
  const id = useId();
  const [revealed, setRevealed] = useState(false);
  // Before hydration the browser itself would submit the password.
  const hydrated = useHydrated();
  const { pending, problemOf, formProblem, form } = useForm({
    bodyOf: (field) => field('password'),
    check: (password) => (password === '' ? [{ field: 'password', message: texts.noPassword }] : []),
    send: (password) => callRoute<'adminSession'>(routes.adminSession, { body: { password } }),
    onSent(_, password) {
      toast(adminToasts.granted);
      unlock(password);
    },
    onFailed: adminErrorMessage,
  });
  return (
    <section className={`card ${styles.gate}`} aria-labelledby={`${id}-title`}>
      <h1 id={`${id}-title`} tabIndex={-1}>
        {texts.locked}
      </h1>
      <p className="js-only muted">{texts.lockedText}</p>
      <p className="no-js-only">{texts.noScript}</p>
      <form {...form} className={`stack js-only ${styles.gateForm}`}>
        <Field id={id} label={texts.password} problem={problemOf('password') ?? formProblem ?? undefined}>
          {(control) => (
            <input
              {...control}
              className="input"
              type={revealed ? 'text' : 'password'}
              name="password"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
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
          aria-disabled={pending}
        >
          {pending ? texts.entering : texts.enter}
        </button>
      </form>
      {note}
    </section>
  );
}

/** Opens the admin pages: with the shared password, or as the signed-in member who is an operator. */
export function AdminSignIn() {
  return (
    <AuthProvider>
      <OperatorSignIn />
    </AuthProvider>
  );
}

const readLeft = () => hasLeft.get();
const watchLeft = (notify: () => void) => hasLeft.listen(notify);
const notLeft = () => false;

function OperatorSignIn() {
  const { status, user } = useAuth();
  const hydrated = useHydrated();
  const [withPassword, setWithPassword] = useState(false);
  const isMember = status === 'signed-in';
  const left = useSyncExternalStore(watchLeft, readLeft, notLeft);
  const { data, error, isFetching, refetch } = useQuery<OperatorSession>(
    {
      queryKey: [...adminKey, 'session'],
      queryFn: ({ signal }) => callRoute<'deskSession'>(routes.deskSession, { signal }),
      enabled: isMember && !left,
    },
    queryClient(),
  );
  useEffect(() => {
    if (data !== undefined) adminMember.set(data);
  }, [data]);

  const isLoading = isMember
    ? !left && (isFetching || data !== undefined) && error === null
    : hydrated && status === 'loading';
  if (isLoading) return <p className="muted">{texts.loading}</p>;
  const confirmation =
    error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED' ? error.body?.confirmation : undefined;
  if (confirmation !== undefined && isMember && !withPassword)
    return (
      <section className={`card ${styles.gate}`} aria-labelledby="confirm">
        <h1 id="confirm" tabIndex={-1}>
          {adminSignInTexts.confirmHeading}
        </h1>
        <p>{adminSignInTexts.confirmText(user.username)}</p>
        <ConfirmForm kind={confirmation} onConfirmed={() => void refetch()} />
        <p className="row">
          <button type="button" className="button button--small" onClick={leave}>
            {adminSignInTexts.signOut}
          </button>
          <button type="button" className="button button--small" onClick={() => setWithPassword(true)}>
            {adminSignInTexts.useShared}
          </button>
        </p>
      </section>
    );
  const here = hydrated ? location.pathname + location.search : '/admin';
  return (
    <SharedPassword
      note={
        isMember && left ? (
          <p>
            <button type="button" className="button button--wide" onClick={() => hasLeft.set(false)}>
              {adminSignInTexts.open(user.username)}
            </button>
          </p>
        ) : isMember ? (
          <p className="muted small">
            {error instanceof ApiError && error.code === 'ADMIN_REQUIRED'
              ? adminSignInTexts.notOperator(user.username)
              : adminErrorMessage(error)}
          </p>
        ) : (
          <p className="js-only small">
            {adminSignInTexts.text} <a href={signInAddress(here)}>{adminSignInTexts.heading}</a>
          </p>
        )
      }
    />
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { atom } from 'nanostores';
import { useEffect, useSyncExternalStore } from 'react';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { signInAddress } from '#domain/next-path.ts';
import styles from '#site/admin/Admin.module.css';
import { callRoute } from '#site/client/api.ts';
import { useAuth } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { invitationTexts as texts } from '#texts/operators.ts';

const storageKey = 'operatorInvitation';

/** The secret of the invitation link that was opened in this tab; kept while the person signs in or registers. */
const invitation = atom<string | null>(null);

function readInvitation(): void {
  const opened = new URLSearchParams(location.hash.slice(1)).get('invitation');
  try {
    if (opened !== null) sessionStorage.setItem(storageKey, opened);
    invitation.set(opened ?? sessionStorage.getItem(storageKey));
  } catch {
    // Storage is blocked: signing in loses the invitation, whose link can be opened again.
    invitation.set(opened);
  }
  // The secret stays neither in the address bar nor in the history.
  if (opened !== null) history.replaceState(history.state, '', location.pathname + location.search);
}

function forgetInvitation(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
  invitation.set(null);
}

const read = () => invitation.get();
const watch = (notify: () => void) => invitation.listen(notify);
const none = () => null;

/** The secret of the invitation that waits to be accepted in this tab, or null. */
export function useInvitation(): string | null {
  useEffect(readInvitation, []);
  return useSyncExternalStore(watch, read, none);
}

/** Asks the signed-in member to accept an invitation; others sign in or register first. */
export function Invitation({ token }: { readonly token: string }) {
  const { status, user } = useAuth();
  const { mutate, isPending, error } = useMutation<ResponseOf<'acceptInvitation'>>(
    {
      mutationFn: () => callRoute<'acceptInvitation'>(routes.acceptInvitation, { body: { token } }),
      onSuccess({ role }) {
        toast(texts.accepted(role));
        forgetInvitation();
      },
    },
    queryClient(),
  );
  const invited = useQuery(
    {
      queryKey: ['operatorInvitation', token],
      queryFn: ({ signal }) => callRoute<'invitation'>(routes.invitation, { body: { token }, signal }),
      retry: false,
    },
    queryClient(),
  );
  return (
    <section className={`card ${styles.gate}`} aria-labelledby="invitation">
      <h1 id="invitation" tabIndex={-1}>
        {texts.heading}
      </h1>
      <p role="status">
        {invited.error
          ? failureSentence(invited.error, texts.failed)
          : invited.data
            ? texts.role(invited.data.role)
            : texts.loading}
      </p>
      {status === 'signed-in' ? (
        <>
          <p>{texts.text(user.username)}</p>
          {error !== null && <p role="alert">{failureSentence(error, texts.failed)}</p>}
          <div className={styles.actions}>
            <button type="button" className="button" onClick={forgetInvitation}>
              {texts.decline}
            </button>
            <button
              type="button"
              className="button button--primary"
              aria-disabled={isPending}
              onClick={() => isPending || mutate()}
            >
              {texts.accept}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>{texts.signedOut}</p>
          <div className={styles.actions}>
            <button type="button" className="button" onClick={forgetInvitation}>
              {texts.decline}
            </button>
            <a className="button button--primary" href={signInAddress('/admin/settings')}>
              {texts.signIn}
            </a>
          </div>
        </>
      )}
    </section>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { signInAddress } from '#domain/next-path.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { SuspendedForm } from '#site/client/SuspendedForm.tsx';
import { useSecretInUrl } from '#site/client/use-secret-in-url.ts';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { joinPollTexts as texts } from '#texts/creator-tools.ts';

/** The secret waits here while its reader registers or signs in: in `?next=` it would reach the server’s log. */
const storageKey = 'weathervane-invitation';
const address = signInAddress(`${communityPath}/join`);

/**
 * Makes a member a guest of the poll of an invitation link. Not before a click: the creator of the poll sees who joined, so
 * that a link anyone can post must not reveal the names of those who open it.
 */
export default function JoinPoll() {
  return (
    <AuthProvider>
      <Join />
    </AuthProvider>
  );
}

function Join() {
  const { status, user } = useAuth();
  const inUrl = useSecretInUrl('invite');
  useEffect(() => {
    if (inUrl !== null) storeSecret(inUrl);
  }, [inUrl]);
  if (status === 'loading') return <div className="skeleton js-only" role="img" aria-label={texts.loading} />;
  const secret = inUrl ?? storedSecret();
  if (secret === null) return <p className="muted">{texts.noLink}</p>;
  if (user?.suspended === true) return <SuspendedForm />;
  if (user !== null) return <Confirm key={secret} secret={secret} username={user.username} />;
  return (
    <>
      <p className="muted">{texts.signInText}</p>
      <p className="row">
        <a className="button button--primary" href={`${address}#register`}>
          {texts.register}
        </a>
        <a className="button" href={address}>
          {texts.signIn}
        </a>
      </p>
    </>
  );
}

function Confirm({ secret, username }: { readonly secret: string; readonly username: string }) {
  const { mutate, error, isPending, isSuccess } = useMutation(
    {
      mutationFn: () => callApi('joinPoll', { body: { token: secret } }),
      onSuccess: ({ id }) => {
        storeSecret(null);
        location.assign(`${communityPath}/${id}`);
      },
    },
    queryClient(),
  );
  // Pending until the page is left.
  const pending = isPending || isSuccess;
  const problem = error && (
    <p className="refusal" role="alert">
      {failureSentence(error, texts.failed)}
    </p>
  );
  if (error instanceof ApiError && error.code === 'INVALID_INVITE_LINK') return problem;
  return (
    <>
      <p className="muted">{texts.text(username)}</p>
      {problem}
      <p>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={pending}
          onClick={() => pending || mutate()}
        >
          {pending ? texts.joining : texts.join}
        </button>
      </p>
    </>
  );
}

function storeSecret(secret: string | null): void {
  try {
    if (secret === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, secret);
  } catch {
    // Storage is blocked: the link has to be opened again after signing in.
  }
}

function storedSecret(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

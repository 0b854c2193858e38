import { useMutation } from '@tanstack/react-query';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { mailLinkTexts as texts } from '#texts/account-security.ts';
import { useSecretInUrl } from './use-secret-in-url.ts';

/** Confirms the email address of a mailed link. Not before a click: mail servers open links to check them. */
export default function MailLink() {
  const token = useSecretInUrl('confirm');
  const hydrated = useHydrated();
  return (
    <>
      <h1 id="mail-link">{texts.title}</h1>
      <div className="js-only">{hydrated && (token === null ? <p>{texts.noLink}</p> : <Confirm token={token} />)}</div>
      <p className="no-js-only notice">{texts.noScript}</p>
    </>
  );
}

function Confirm({ token }: { readonly token: string }) {
  const { mutate, data, error, isPending } = useMutation(
    { mutationFn: () => callApi('confirmEmail', { body: { token } }) },
    queryClient(),
  );
  if (data)
    return (
      <div className="stack">
        <p role="status" ref={(element) => element?.focus()} tabIndex={-1}>
          {texts.done(data.email)}
        </p>
        <p>
          <a className="button" href="/profile/account">
            {texts.account}
          </a>
        </p>
      </div>
    );
  return (
    <div className="stack">
      <p className="muted">{texts.text}</p>
      {error && <p role="alert">{failureSentence(error, accountFailureTexts.unknown)}</p>}
      <p>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={isPending}
          onClick={() => !isPending && mutate()}
        >
          {isPending ? texts.confirming : texts.confirm}
        </button>
      </p>
    </div>
  );
}

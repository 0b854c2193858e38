import { useMutation } from '@tanstack/react-query';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { mailLinkTexts as texts } from '#texts/account-security.ts';
import { useSecretInUrl } from '#site/client/use-secret-in-url.ts';

/** Confirms the email address of a mailed link, or ends mails. Not before a click: mail servers open links to check them. */
export default function MailLink() {
  const token = useSecretInUrl('confirm');
  const digestToken = useSecretInUrl('unsubscribe');
  const stopToken = useSecretInUrl('stop');
  const unsubscribeToken = digestToken ?? stopToken;
  const words = stopToken === null ? texts : texts.stop;
  const hydrated = useHydrated();
  return (
    <>
      <h1 id="mail-link">{unsubscribeToken === null ? texts.title : words.unsubscribeTitle}</h1>
      <div className="js-only">
        {hydrated && unsubscribeToken !== null && (
          <Unsubscribe key={unsubscribeToken} token={unsubscribeToken} words={words} />
        )}
        {hydrated &&
          unsubscribeToken === null &&
          (token === null ? <p>{texts.noLink}</p> : <Confirm key={token} token={token} />)}
      </div>
      <p className="no-js-only notice">{texts.noScript}</p>
    </>
  );
}

function Confirm({ token }: { readonly token: string }) {
  return (
    <Action
      {...{ text: texts.text, action: texts.confirm, pendingAction: texts.confirming }}
      run={async () => texts.done((await callApi('confirmEmail', { body: { token } })).email)}
    />
  );
}

function Unsubscribe({ token, words }: { readonly token: string; readonly words: UnsubscribeWords }) {
  return (
    <Action
      {...{ text: words.unsubscribeText, action: words.unsubscribe, pendingAction: texts.unsubscribing }}
      run={async () => {
        await callApi('unsubscribe', { params: { token } });
        return words.unsubscribed;
      }}
    />
  );
}

type UnsubscribeWords = Pick<
  typeof texts | typeof texts.stop,
  'unsubscribeTitle' | 'unsubscribeText' | 'unsubscribe' | 'unsubscribed'
>;

interface ActionProps {
  readonly text: string;
  readonly action: string;
  readonly pendingAction: string;
  /** Returns what to say when it is done. */
  readonly run: () => Promise<string>;
}

function Action({ text, action, pendingAction, run }: ActionProps) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: run }, queryClient());
  const problem = error && (
    <p className="refusal" role="alert">
      {failureSentence(error, accountFailureTexts.unknown)}
    </p>
  );
  if (data !== undefined || (error instanceof ApiError && error.code === 'INVALID_EMAIL_LINK'))
    return (
      <div className="stack">
        {problem ?? (
          <p ref={(element) => element?.focus()} tabIndex={-1}>
            {data}
          </p>
        )}
        <p>
          <a className="button" href="/profile/account">
            {texts.account}
          </a>
        </p>
      </div>
    );
  return (
    <div className="stack">
      <p className="muted">{text}</p>
      {problem}
      <p>
        <button
          type="button"
          className="button button--primary"
          aria-disabled={isPending}
          onClick={() => !isPending && mutate()}
        >
          {isPending ? pendingAction : action}
        </button>
      </p>
    </div>
  );
}

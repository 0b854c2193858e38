import { useMutation } from '@tanstack/react-query';
import type { WaitingSignIn } from '#api/members/accounts/account-security.contract.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { waitingSignInTexts as texts } from '#texts/account-security.ts';
import { useAccountSecurity } from './AccountSecurity.tsx';
import styles from './AccountPage.module.css';

/** Asks about each sign-in with the member’s password that waits for a second step. */
export function WaitingSignIns() {
  const { data } = useAccountSecurity();
  const { mutate, isPending } = useMutation<undefined, Error, { readonly id: string; readonly isMe: boolean }>(
    {
      mutationFn: (body) => callApi('answerSignIn', { body }),
      onSuccess: (_, { isMe }) => toast(isMe ? texts.allowed : { ...texts.refused, destructive: true }),
      onError: (error) => toast({ title: texts.failed, text: failureSentence(error, texts.failed), destructive: true }),
      onSettled: () => queryClient().refetchQueries({ queryKey: queryKeys.accountSecurity }),
    },
    queryClient(),
  );
  const signIns = data?.signIns ?? [];
  if (signIns.length === 0) return null;
  const answer = (signIn: WaitingSignIn, isMe: boolean) => !isPending && mutate({ id: signIn.id, isMe });
  return (
    <section className="notice" id="sign-ins" aria-labelledby="sign-ins-heading">
      <h2 id="sign-ins-heading">{texts.heading}</h2>
      <ul className={styles.sessions}>
        {signIns.map((signIn) => (
          <li key={signIn.id}>
            <p>
              <b>{texts.question(signIn.device)}</b>
              <span className="small">{texts.until(formatMoment(signIn.waitsUntil))}</span>
            </p>
            <div className={styles.answers}>
              <button
                type="button"
                className="button button--small"
                aria-disabled={isPending}
                onClick={() => answer(signIn, true)}
              >
                {texts.yes}
              </button>
              <button
                type="button"
                className="button button--small"
                aria-disabled={isPending}
                onClick={() => answer(signIn, false)}
              >
                {texts.no}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

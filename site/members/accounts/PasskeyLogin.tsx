import { useMutation } from '@tanstack/react-query';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { keepToast } from '#site/ui/stored-toast.ts';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { passkeyTexts as texts } from '#texts/account-security.ts';
import { accountToasts } from '#texts/accounts.ts';
import { isCanceled, sendWithPasskey, usePasskeySupport } from '#site/client/passkeys.ts';

/** Signs in with a passkey, where the browser can. */
export function PasskeyLogin() {
  const isSupported = usePasskeySupport();
  const { mutate, isPending } = useMutation<User>(
    {
      mutationFn: () => sendWithPasskey((body) => callApi('loginWithPasskey', { body })),
      onMutate: dismissFailure,
      onSuccess(user) {
        keepToast(accountToasts.loggedIn);
        signedIn(user);
      },
      onError(error) {
        if (isCanceled(error)) return;
        toast({ title: accountToasts.loginFailed, text: failureSentence(error, texts.unusable), destructive: true });
      },
    },
    queryClient(),
  );
  if (!isSupported) return null;
  return (
    <button
      type="button"
      className="button button--wide"
      aria-disabled={isPending}
      onClick={() => !isPending && mutate()}
    >
      {texts.signIn}
    </button>
  );
}

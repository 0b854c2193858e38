import { useMutation } from '@tanstack/react-query';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { signOut } from '#site/client/session.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFailureTexts, accountPageTexts, accountToasts } from '#texts/accounts.ts';

/** The way out of the account on this device. Unlike the one in the navigation, it says so when it fails. */
export function LogOut() {
  const { mutate, isPending } = useMutation(
    {
      mutationFn: signOut,
      onSuccess: () => toast(accountToasts.loggedOut),
      onError: (error) =>
        toast({
          title: accountToasts.logoutFailed,
          text: failureSentence(error, accountFailureTexts.unknown),
          destructive: true,
        }),
    },
    queryClient(),
  );
  return (
    <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
      {accountPageTexts.session.logout}
    </button>
  );
}

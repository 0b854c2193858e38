import { useMutation } from '@tanstack/react-query';
import checkRecovery from 'virtual:contract-check/recovery';
import type { User } from '#contract/account.ts';
import type { Recovery } from '#contract/account-security.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { keepToast } from '#site/ui/kept-toast.ts';
import { recoverTexts as texts } from '#texts/account-security.ts';
import { accountFieldTexts as fields } from '#texts/accounts.ts';
import { AccountForm, PasswordField, TextField } from './AccountForm.tsx';
import { useAccountForm } from './use-account-form.ts';

function useRecover() {
  return useMutation<User, Error, Recovery>(
    {
      mutationFn: (body) => callApi('recover', { body }),
      onSuccess: (user) => {
        keepToast(texts.done);
        signedIn(user);
        // Where the member sees how many codes are left.
        location.replace('/profile/account');
      },
    },
    queryClient(),
  );
}

/** The form that sets a new password with a recovery code. */
export default function Recover() {
  const state = useAccountForm({
    mutation: useRecover(),
    bodyOf: (field) => ({
      username: field('username').trim(),
      code: field('code').trim(),
      newPassword: field('newPassword'),
    }),
    check: (body) => checkInput(checkRecovery, body),
    failedTitle: texts.failed,
    focusOnFailure: 'code',
  });
  const { problemOf } = state;
  return (
    <AccountForm state={state} action={texts.submit} pendingAction={texts.pending} wide>
      <TextField
        name="username"
        label={fields.username}
        autoComplete="username"
        autoCapitalize="none"
        problem={problemOf('username')}
      />
      <TextField
        name="code"
        label={texts.code}
        hint={texts.codeHint}
        autoComplete="off"
        autoCapitalize="none"
        problem={problemOf('code')}
      />
      <PasswordField
        name="newPassword"
        label={fields.newPassword}
        hint={fields.passwordHint}
        autoComplete="new-password"
        problem={problemOf('newPassword')}
      />
    </AccountForm>
  );
}

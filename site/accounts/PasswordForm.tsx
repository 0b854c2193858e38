import { useMutation } from '@tanstack/react-query';
import checkPasswordChange from 'virtual:contract-check/passwordChange';
import type { PasswordChange, User } from '#contract/account.ts';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm, AccountName, PasswordField } from './AccountForm.tsx';
import { NewPasswordField, weakPasswordErrors } from './NewPasswordField.tsx';
import { useAccountForm } from './use-account-form.ts';

const texts = accountPageTexts.password;

function useChangePassword() {
  return useMutation<unknown, Error, PasswordChange>(
    {
      mutationFn: (body) => callApi('changePassword', { body }),
      onSuccess: () => toast(accountToasts.passwordChanged),
    },
    queryClient(),
  );
}

/** The form that changes the password. */
export function PasswordForm({ user }: { readonly user: User }) {
  const state = useAccountForm({
    mutation: useChangePassword(),
    bodyOf: (field) => ({ currentPassword: field('currentPassword'), newPassword: field('newPassword') }),
    check: (body) => [
      ...checkInput(checkPasswordChange, body),
      ...weakPasswordErrors('newPassword', body.newPassword, user),
    ],
    onSuccess: (form) => form.reset(),
    failedTitle: accountToasts.passwordFailed,
    fieldsByCode: { WRONG_PASSWORD: 'currentPassword' },
  });
  const { problemOf } = state;
  return (
    <AccountForm state={state} action={texts.change} pendingAction={texts.changing}>
      <AccountName username={user.username} />
      <PasswordField
        name="currentPassword"
        label={fields.currentPassword}
        autoComplete="current-password"
        problem={problemOf('currentPassword')}
      />
      <NewPasswordField name="newPassword" label={fields.newPassword} owner={user} problem={problemOf('newPassword')} />
    </AccountForm>
  );
}

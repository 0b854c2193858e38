import checkPasswordChange from 'virtual:check/PasswordChange';
import type { PasswordChange, User } from '#api/members/accounts/accounts.contract.ts';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { useForm } from '#site/client/use-form.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm, AccountName, PasswordField } from './AccountForm.tsx';
import { NewPasswordField, weakPasswordErrors } from './NewPasswordField.tsx';
import { accountFailure } from './account-form.ts';

const texts = accountPageTexts.password;

/** The form that changes the password. */
export function PasswordForm({ user }: { readonly user: User }) {
  const state = useForm({
    bodyOf: (field): PasswordChange => ({
      currentPassword: field('currentPassword'),
      newPassword: field('newPassword'),
    }),
    check: (body) => [
      ...checkInput(checkPasswordChange, body),
      ...weakPasswordErrors('newPassword', body.newPassword, user),
    ],
    send: (body) => callApi('changePassword', { body }),
    onSent(_, __, form) {
      form.reset();
      toast(accountToasts.passwordChanged);
    },
    onFailed: accountFailure(accountToasts.passwordFailed),
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

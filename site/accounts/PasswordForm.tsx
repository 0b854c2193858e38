import checkPasswordChange from 'virtual:contract-check/passwordChange';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm } from './AccountForm.tsx';
import { PasswordField } from './PasswordField.tsx';
import { useSubmission } from './use-submission.ts';

const texts = accountPageTexts.password;

/** Changes the password. */
export function PasswordForm({ username }: { readonly username: string }) {
  const submission = useSubmission({
    bodyOf: (field) => ({ currentPassword: field('currentPassword'), newPassword: field('newPassword') }),
    check: (body) => checkInput(checkPasswordChange, body),
    send: (body) => callApi('changePassword', { body }),
    onDone: (_, form) => {
      form.reset();
      toast(accountToasts.passwordChanged);
    },
    failedTitle: accountToasts.passwordFailed,
    fieldsByCode: { WRONG_PASSWORD: 'currentPassword' },
  });
  const { problemOf } = submission;
  return (
    <AccountForm submission={submission} action={texts.change} pendingAction={texts.changing}>
      {/* Tells a password manager whose password it is. */}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        name="currentPassword"
        label={fields.currentPassword}
        autoComplete="current-password"
        problem={problemOf('currentPassword')}
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

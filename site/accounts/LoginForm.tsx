import checkLogin from 'virtual:contract-check/login';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { signedIn } from '#site/client/session.ts';
import { keepToast } from '#site/ui/kept-toast.ts';
import { accountFieldTexts, accountToasts, authTexts } from '#texts/accounts.ts';
import { AccountForm } from './AccountForm.tsx';
import { PasswordField } from './PasswordField.tsx';
import { TextField } from './TextField.tsx';
import { useSubmission } from './use-submission.ts';

/** Signs somebody in. */
export function LoginForm() {
  const submission = useSubmission({
    bodyOf: (field) => ({ username: field('username').trim(), password: field('password') }),
    check: (body) => checkInput(checkLogin, body),
    send: (body) => callApi('login', { body }),
    onDone: (user) => {
      keepToast(accountToasts.loggedIn);
      signedIn(user);
    },
    failedTitle: accountToasts.loginFailed,
    reasonInToast: true,
    again: 'password',
  });
  const { problemOf } = submission;
  return (
    <AccountForm submission={submission} action={authTexts.login} pendingAction={authTexts.loginPending} wide>
      <TextField
        name="username"
        label={accountFieldTexts.username}
        hint={accountFieldTexts.loginHint}
        autoComplete="username"
        autoCapitalize="none"
        problem={problemOf('username')}
      />
      <PasswordField
        name="password"
        label={accountFieldTexts.password}
        autoComplete="current-password"
        problem={problemOf('password')}
      />
    </AccountForm>
  );
}

import { useMutation } from '@tanstack/react-query';
import checkLogin from 'virtual:contract-check/login';
import type { Login, User } from '#contract/account.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { keepToast } from '#site/ui/kept-toast.ts';
import { recoverTexts } from '#texts/account-security.ts';
import { accountFieldTexts, accountToasts, authTexts } from '#texts/accounts.ts';
import { AccountForm, PasswordField, TextField } from './AccountForm.tsx';
import { PasskeyLogin } from './PasskeyLogin.tsx';
import { useAccountForm } from './use-account-form.ts';

function useLogin() {
  return useMutation<User, Error, Login>(
    {
      mutationFn: (body) => callApi('login', { body }),
      onSuccess: (user) => {
        keepToast(accountToasts.loggedIn);
        signedIn(user);
      },
    },
    queryClient(),
  );
}

/** The sign-in form. */
export function LoginForm() {
  const state = useAccountForm({
    mutation: useLogin(),
    bodyOf: (field) => ({ username: field('username').trim(), password: field('password') }),
    check: (body) => checkInput(checkLogin, body),
    failedTitle: accountToasts.loginFailed,
    reasonInToast: true,
    fieldsByCode: { INVALID_CREDENTIALS: 'password' },
  });
  const { problemOf } = state;
  return (
    <>
      <AccountForm state={state} action={authTexts.login} pendingAction={authTexts.loginPending} wide>
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
        <p>
          <a href="/auth/recover">{recoverTexts.link}</a>
        </p>
      </AccountForm>
      <PasskeyLogin />
    </>
  );
}

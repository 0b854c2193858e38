import checkPasswordReset from 'virtual:check/PasswordReset';
import checkRecovery from 'virtual:check/Recovery';
import checkResetRequest from 'virtual:check/ResetRequest';
import { useState } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { PasswordReset, Recovery, ResetRequest } from '#api/members/accounts/account-security.contract.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { useForm } from '#site/client/use-form.ts';
import { keepToast } from '#site/ui/stored-toast.ts';
import { recoverTexts as texts } from '#texts/account-security.ts';
import { accountFieldTexts as fields } from '#texts/accounts.ts';
import { accountFailure } from './account-form.ts';
import { AccountForm, AccountName, TextField } from './AccountForm.tsx';
import { NewPasswordField, weakPasswordErrors } from './NewPasswordField.tsx';
import { useSecretInUrl } from '#site/client/use-secret-in-url.ts';

/** The card that sets a new password, with a recovery code or, if the URL has one, a reset link. */
export default function Recover({ sendsMail }: { readonly sendsMail: boolean }) {
  const token = useSecretInUrl('reset');
  const username = useSecretInUrl('username');
  return (
    <>
      <h1 id="recover">{token === null ? texts.title : texts.linkTitle}</h1>
      {token === null ? (
        <div className="js-only">
          {/* First the way that most members have. */}
          {sendsMail && (
            <section className="way" aria-labelledby="by-mail">
              <h2 id="by-mail">{texts.mailTitle}</h2>
              <MailForm />
            </section>
          )}
          <section className="way" aria-labelledby="by-code">
            <h2 id="by-code">{texts.codeTitle}</h2>
            <p className="muted">{texts.text}</p>
            <CodeForm />
          </section>
        </div>
      ) : (
        <>
          <p className="muted">{texts.linkText}</p>
          <div className="js-only">
            <LinkForm key={token} token={token} username={username} />
          </div>
        </>
      )}
      <p className="no-js-only notice">{texts.noScript}</p>
    </>
  );
}

/** The password is set, and the member signed in with it. */
function passwordSet(user: User): void {
  keepToast(texts.done);
  signedIn(user);
  // Where the member sees how many codes are left.
  location.replace('/profile/account');
}

function CodeForm() {
  const state = useForm({
    bodyOf: (field): Recovery => ({
      username: field('username').trim(),
      code: field('code').trim(),
      newPassword: field('newPassword'),
    }),
    check: (body) => [
      ...checkInput(checkRecovery, body),
      ...weakPasswordErrors('newPassword', body.newPassword, { username: body.username }),
    ],
    send: (body) => callApi('recover', { body }),
    onSent: passwordSet,
    onFailed: accountFailure(texts.failed),
    fieldsByCode: { INVALID_RECOVERY_CODE: 'code' },
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
      <NewPasswordField name="newPassword" label={fields.newPassword} problem={problemOf('newPassword')} />
    </AccountForm>
  );
}

/** Asks for a link by mail; the answer is the same whether the account exists. */
function MailForm() {
  const [done, setDone] = useState(false);
  const state = useForm({
    bodyOf: (field): ResetRequest => ({ username: field('username').trim() }),
    check: (body) => checkInput(checkResetRequest, body),
    send: (body) => callApi('requestPasswordReset', { body }),
    onSent: () => setDone(true),
    onFailed: accountFailure(texts.mailFailed),
  });
  if (done)
    return (
      <p ref={(element) => element?.focus()} tabIndex={-1}>
        {texts.mailDone}
      </p>
    );
  return (
    <>
      <p className="muted">{texts.mailText}</p>
      <AccountForm state={state} action={texts.mailSubmit} pendingAction={texts.mailPending} wide>
        <TextField
          name="username"
          label={texts.mailName}
          autoComplete="username"
          autoCapitalize="none"
          problem={state.problemOf('username')}
        />
      </AccountForm>
    </>
  );
}

function LinkForm({ token, username }: { readonly token: string; readonly username: string | null }) {
  const state = useForm({
    bodyOf: (field): PasswordReset => ({ token, newPassword: field('newPassword') }),
    check: (body) => [
      ...checkInput(checkPasswordReset, body),
      ...weakPasswordErrors('newPassword', body.newPassword, { username }),
    ],
    send: (body) => callApi('resetPassword', { body }),
    onSent: passwordSet,
    onFailed: accountFailure(texts.failed),
  });
  return (
    <AccountForm state={state} action={texts.submit} pendingAction={texts.pending} wide>
      {username !== null && <AccountName username={username} />}
      <NewPasswordField
        name="newPassword"
        label={fields.newPassword}
        owner={{ username }}
        problem={state.problemOf('newPassword')}
      />
    </AccountForm>
  );
}

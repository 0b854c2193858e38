import checkRegistration from 'virtual:contract-check/registration';
import type { Registration } from '#contract/account.ts';
import { normalizeName } from '#domain/account-rules.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/session.ts';
import { keepToast } from '#site/ui/kept-toast.ts';
import { tellVisitEvent } from '#site/ui/visit-event.ts';
import { accountFieldTexts as texts, accountToasts, authTexts } from '#texts/accounts.ts';
import styles from './SignIn.module.css';
import { AccountForm } from './AccountForm.tsx';
import { accountErrors } from './field-checks.ts';
import { PasswordField } from './PasswordField.tsx';
import { TextField } from './TextField.tsx';
import { useSubmission } from './use-submission.ts';

const optional = ['email', 'firstName', 'lastName'] as const;

/** Makes an account; what is optional and empty is not sent. */
export function RegisterForm({ siteName }: { readonly siteName: string }) {
  const submission = useSubmission({
    bodyOf: (field): Registration => ({
      username: field('username').trim(),
      password: field('password'),
      ...Object.fromEntries(
        optional.flatMap((name) => {
          const text = normalizeName(field(name));
          return text === null ? [] : [[name, text]];
        }),
      ),
    }),
    check: (body) => accountErrors(checkRegistration, body),
    send: (body) => callApi('register', { body }),
    onDone: (user) => {
      tellVisitEvent('sign_up');
      keepToast(accountToasts.registered(siteName));
      signedIn(user);
    },
    failedTitle: accountToasts.registrationFailed,
    reasonInToast: true,
  });
  const { problemOf } = submission;
  return (
    <AccountForm submission={submission} action={authTexts.register} pendingAction={authTexts.registerPending} wide>
      <TextField
        name="username"
        label={texts.username}
        hint={texts.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        problem={problemOf('username')}
      />
      <PasswordField
        name="password"
        label={texts.password}
        hint={texts.passwordHint}
        autoComplete="new-password"
        problem={problemOf('password')}
      />
      <TextField
        name="email"
        type="email"
        inputMode="email"
        label={texts.email}
        hint={texts.emailHint}
        autoComplete="email"
        problem={problemOf('email')}
        optional
      />
      <div className={styles.names}>
        <TextField
          name="firstName"
          label={texts.firstName}
          autoComplete="given-name"
          problem={problemOf('firstName')}
          optional
        />
        <TextField
          name="lastName"
          label={texts.lastName}
          autoComplete="family-name"
          problem={problemOf('lastName')}
          optional
        />
      </div>
    </AccountForm>
  );
}

import checkRegistration from 'virtual:check/Registration';
import type { Registration } from '#api/members/accounts/accounts.contract.ts';
import { normalizeName } from '#domain/account-rules.ts';
import { callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { useForm } from '#site/client/use-form.ts';
import { keepToast } from '#site/ui/stored-toast.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import { accountFieldTexts as texts, accountToasts, authTexts } from '#texts/accounts.ts';
import { AccountForm, TextField } from './AccountForm.tsx';
import { accountErrors, accountFailure } from './account-form.ts';
import { NewPasswordField, weakPasswordErrors } from './NewPasswordField.tsx';
import styles from './SignIn.module.css';

/** A member who has just registered, with the recovery codes of the account. */
export interface Registered {
  readonly username: string;
  readonly codes: readonly string[];
  /** The address that a link to confirm it is mailed to. */
  readonly emailToConfirm: string | null;
}

interface RegisterFormProps {
  readonly siteName: string;
  readonly onRegistered: (registered: Registered) => void;
}

const optionalFields = ['email', 'firstName', 'lastName'] as const;

/** The registration form; optional fields left empty are not sent. */
export function RegisterForm({ siteName, onRegistered }: RegisterFormProps) {
  const state = useForm({
    bodyOf: (field): Registration => ({
      username: field('username').trim(),
      password: field('password'),
      ...Object.fromEntries(
        optionalFields.flatMap((name) => {
          const text = normalizeName(field(name));
          return text === null ? [] : [[name, text]];
        }),
      ),
    }),
    check: (body) => [
      ...accountErrors(checkRegistration, body, siteName),
      ...weakPasswordErrors('password', body.password, body, siteName),
    ],
    send: (body) => callApi('register', { body }),
    onSent({ recoveryCodes, emailToConfirm, ...user }) {
      // Before the sign-in, which redirects.
      onRegistered({ username: user.username, codes: recoveryCodes, emailToConfirm });
      dispatchVisitEvent('sign_up');
      keepToast(accountToasts.registered(siteName));
      signedIn(user);
    },
    onFailed: accountFailure(accountToasts.registrationFailed, { reasonInToast: true }),
  });
  const { problemOf } = state;
  return (
    <AccountForm state={state} action={authTexts.register} pendingAction={authTexts.registerPending} wide>
      <TextField
        name="username"
        label={texts.username}
        hint={texts.usernameHint}
        autoComplete="username"
        autoCapitalize="none"
        problem={problemOf('username')}
      />
      <NewPasswordField name="password" label={texts.password} siteName={siteName} problem={problemOf('password')} />
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

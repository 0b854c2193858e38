import { useRef, useState } from 'react';
import checkLogin from 'virtual:check/Login';
import type { Login, User } from '#api/members/accounts/accounts.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { signedIn } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { useForm } from '#site/client/use-form.ts';
import { formatMoment } from '#site/ui/format.ts';
import { keepToast } from '#site/ui/stored-toast.ts';
import { recoverTexts, secondStepTexts as stepTexts } from '#texts/account-security.ts';
import { accountFieldTexts, accountToasts, authTexts } from '#texts/accounts.ts';
import { AccountForm, PasswordField, TextField } from './AccountForm.tsx';
import { accountFailure } from './account-form.ts';
import { PasskeyLogin } from './PasskeyLogin.tsx';

type SecondStep = NonNullable<ErrorBody['secondStep']>;

/** Signs in, or says how to prove more than the password. */
async function login(body: Login): Promise<User | SecondStep> {
  try {
    return await callApi('login', { body });
  } catch (error) {
    // Not a failure: the password was right.
    if (error instanceof ApiError && error.body?.secondStep) return error.body.secondStep;
    throw error;
  }
}

/** The sign-in form. */
export function LoginForm() {
  const [step, setStep] = useState<SecondStep | null>(null);
  /** What became of the last attempt, if it was not the first one. */
  const [news, setNews] = useState<string | null>(null);
  const wantsMail = useRef(false);
  const handleStep = (next: SecondStep, { mailCode }: Login) => {
    setStep(next);
    if (mailCode) setNews(next.mailed ? stepTexts.mailed : stepTexts.notMailed);
    else setNews(step === null ? null : stepTexts.waiting);
  };
  const state = useForm({
    bodyOf: (field): Login => {
      const mailCode = wantsMail.current;
      wantsMail.current = false;
      const code = field('code').trim();
      return {
        ...{ username: field('username').trim(), password: field('password') },
        ...(mailCode ? { mailCode } : code !== '' && { code }),
      };
    },
    check: (body) => checkInput(checkLogin, body),
    send: login,
    onSent(answer, body) {
      if ('until' in answer) {
        handleStep(answer, body);
        return;
      }
      keepToast(accountToasts.loggedIn);
      signedIn(answer);
    },
    onFailed: accountFailure(accountToasts.loginFailed, { reasonInToast: true }),
    fieldsByCode: {
      INVALID_CREDENTIALS: 'password',
      ...({ EMAIL_CODE_WRONG: 'code', EMAIL_CODE_EXPIRED: 'code', INVALID_RECOVERY_CODE: 'code' } as const),
    },
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
          onInput={() => setStep(null)}
        />
        <PasswordField
          name="password"
          label={accountFieldTexts.password}
          autoComplete="current-password"
          problem={problemOf('password')}
        />
        {step !== null && (
          <SecondStepFields
            step={step}
            news={news}
            problem={problemOf('code')}
            onMail={(form) => {
              wantsMail.current = true;
              form?.requestSubmit();
            }}
          />
        )}
        <p>
          <a href="/auth/recover">{recoverTexts.link}</a>
        </p>
      </AccountForm>
      <PasskeyLogin />
    </>
  );
}

interface SecondStepFieldsProps {
  readonly step: SecondStep;
  readonly news: string | null;
  readonly problem: string | undefined;
  readonly onMail: (form: HTMLFormElement | null) => void;
}

/** The ways to prove more than a password. */
function SecondStepFields({ step, news, problem, onMail }: SecondStepFieldsProps) {
  return (
    <>
      <div className="notice" ref={focusOnce} tabIndex={-1}>
        <p>
          <b>{stepTexts.title}</b>
        </p>
        <p>{stepTexts.text}</p>
      </div>
      <TextField
        name="code"
        label={stepTexts.code}
        hint={stepTexts.codeHint(step.mail)}
        autoComplete="one-time-code"
        autoCapitalize="none"
        optional
        problem={problem}
      />
      {step.mail && (
        <button type="button" className="button button--wide" onClick={(event) => onMail(event.currentTarget.form)}>
          {stepTexts.mail}
        </button>
      )}
      <p role="status">{news}</p>
      <p>{stepTexts.otherWays(formatMoment(step.until))}</p>
    </>
  );
}

/** Where the form continues. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}

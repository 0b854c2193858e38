import { useMutation } from '@tanstack/react-query';
import checkPasswordConfirmation from 'virtual:contract-check/passwordConfirmation';
import type { PasswordConfirmation } from '#contract/account-security.ts';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Dialog } from '#site/ui/Dialog.tsx';
import { accountFieldTexts as fields, accountPageTexts } from '#texts/accounts.ts';
import { AccountForm, PasswordField } from './AccountForm.tsx';
import { useAccountForm } from './use-account-form.ts';

interface PasswordDialogProps<A> {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly pendingAction: string;
  readonly failedTitle: string;
  readonly run: (body: PasswordConfirmation) => Promise<A>;
  readonly onDone: (result: A) => void;
  readonly onClose: () => void;
}

/** A dialog that asks for the password before a security setting changes. */
export function PasswordDialog<A>(props: PasswordDialogProps<A>) {
  const { title, text, action, pendingAction, failedTitle, run, onDone, onClose } = props;
  const state = useAccountForm({
    mutation: useMutation<A, Error, PasswordConfirmation>({ mutationFn: run, onSuccess: onDone }, queryClient()),
    bodyOf: (field) => ({ password: field('password') }),
    check: (body) => checkInput(checkPasswordConfirmation, body),
    failedTitle,
    fieldsByCode: { WRONG_PASSWORD: 'password' },
  });
  const { pending, problemOf } = state;
  const close = () => {
    if (!pending) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      <p>{text}</p>
      <AccountForm
        state={state}
        action={action}
        pendingAction={pendingAction}
        cancel={
          <button type="button" className="button" disabled={pending} onClick={close}>
            {accountPageTexts.cancel}
          </button>
        }
      >
        <PasswordField
          name="password"
          label={fields.password}
          autoComplete="current-password"
          problem={problemOf('password')}
        />
      </AccountForm>
    </Dialog>
  );
}

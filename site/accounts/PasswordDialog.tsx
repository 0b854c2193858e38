import { useMutation } from '@tanstack/react-query';
import checkPasswordConfirmation from 'virtual:contract-check/passwordConfirmation';
import type { PasswordConfirmation } from '#contract/account-security.ts';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { AccountDialog, CurrentPassword } from './AccountDialog.tsx';
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
  return (
    <AccountDialog
      title={title}
      about={<p>{text}</p>}
      state={state}
      action={action}
      pendingAction={pendingAction}
      onClose={onClose}
    >
      <CurrentPassword state={state} />
    </AccountDialog>
  );
}

import checkPasswordConfirmation from 'virtual:check/PasswordConfirmation';
import type { PasswordConfirmation } from '#api/members/accounts/account-security.contract.ts';
import { checkInput } from '#site/client/check-input.ts';
import { useForm } from '#site/client/use-form.ts';
import { AccountDialog, CurrentPassword } from './AccountDialog.tsx';
import { accountFailure } from './account-form.ts';

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
  const state = useForm({
    send: run,
    onSent: onDone,
    bodyOf: (field): PasswordConfirmation => ({ password: field('password') }),
    check: (body) => checkInput(checkPasswordConfirmation, body),
    onFailed: accountFailure(failedTitle),
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

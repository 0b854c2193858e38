import type { ReactNode } from 'react';
import { useAuth } from '#site/client/auth.tsx';
import type { FormState } from '#site/client/use-form.ts';
import { Dialog } from '#site/ui/Dialog.tsx';
import { accountFieldTexts as fields, accountPageTexts } from '#texts/accounts.ts';
import { AccountForm, AccountName, PasswordField } from './AccountForm.tsx';

interface AccountDialogProps {
  readonly title: string;
  /** What happens, above the form. */
  readonly about?: ReactNode;
  readonly state: FormState;
  readonly action: string;
  readonly pendingAction: string;
  readonly dangerous?: boolean;
  readonly cancel?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** An account form in a dialog, which stays open while it is being sent. */
export function AccountDialog({
  title,
  about,
  state,
  action,
  pendingAction,
  dangerous = false,
  cancel = accountPageTexts.cancel,
  children,
  onClose,
}: AccountDialogProps) {
  const { pending } = state;
  const close = () => {
    if (!pending) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      {about}
      <AccountForm
        state={state}
        action={action}
        pendingAction={pendingAction}
        dangerous={dangerous}
        cancel={
          <button type="button" className="button" disabled={pending} onClick={close}>
            {cancel}
          </button>
        }
      >
        {children}
      </AccountForm>
    </Dialog>
  );
}

/** The field for the member’s current password, which confirms a change. */
export function CurrentPassword({ state: { problemOf } }: { readonly state: FormState }) {
  const { user } = useAuth();
  return (
    <>
      {user && <AccountName username={user.username} />}
      <PasswordField
        name="password"
        label={fields.password}
        autoComplete="current-password"
        problem={problemOf('password')}
      />
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import checkUserDeletion from 'virtual:contract-check/userDeletion';
import { useState } from 'react';
import type { UserDeletion } from '#contract/account.ts';
import { accountKey } from '#domain/account-rules.ts';
import { callApi } from '#site/client/api.ts';
import { signedOut } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Dialog } from '#site/ui/Dialog.tsx';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm, PasswordField, TextField } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { useAccountForm } from './use-account-form.ts';

const texts = accountPageTexts.deletion;

interface DeleteAccountProps {
  readonly username: string;
  readonly onDeleted: () => void;
}

function useDeleteAccount(onDeleted: () => void) {
  return useMutation<unknown, Error, UserDeletion>(
    {
      mutationFn: (body) => callApi('deleteUser', { body }),
      onSuccess: () => {
        onDeleted();
        signedOut();
        toast(accountToasts.deleted);
      },
    },
    queryClient(),
  );
}

/** The button that deletes the account, with a dialog that lists what is deleted and what is kept. */
export function DeleteAccount(props: DeleteAccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="button button--danger" onClick={() => setIsOpen(true)}>
        {texts.open}
      </button>
      {isOpen && <DeletionDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function DeletionDialog({ username, onDeleted, onClose }: DeleteAccountProps & { readonly onClose: () => void }) {
  const state = useAccountForm({
    mutation: useDeleteAccount(onDeleted),
    bodyOf: (field) => ({ username: field('username').trim(), password: field('password') }),
    check: (body) => {
      const errors = checkInput(checkUserDeletion, body);
      return accountKey(body.username) === accountKey(username)
        ? errors
        : [
            { field: 'username', message: texts.wrongUsername(username) },
            ...errors.filter(({ field }) => field !== 'username'),
          ];
    },
    failedTitle: accountToasts.deletionFailed,
    fieldsByCode: { WRONG_PASSWORD: 'password' },
  });
  const { pending, problemOf } = state;
  const close = () => {
    if (!pending) onClose();
  };

  return (
    <Dialog title={texts.title} onClose={close}>
      <ul className={styles.consequences}>
        {texts.what.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <AccountForm
        state={state}
        action={texts.confirm}
        pendingAction={texts.deleting}
        dangerous
        cancel={
          <button type="button" className="button" disabled={pending} onClick={close}>
            {texts.cancel}
          </button>
        }
      >
        <TextField
          name="username"
          label={texts.username(username)}
          autoComplete="off"
          autoCapitalize="none"
          problem={problemOf('username')}
        />
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

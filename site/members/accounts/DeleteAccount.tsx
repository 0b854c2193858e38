import checkUserDeletion from 'virtual:check/UserDeletion';
import { useState } from 'react';
import type { UserDeletion } from '#api/members/accounts/accounts.contract.ts';
import { accountKey } from '#domain/account-rules.ts';
import { callApi } from '#site/client/api.ts';
import { signedOut } from '#site/client/auth.tsx';
import { checkInput } from '#site/client/check-input.ts';
import { useForm } from '#site/client/use-form.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountDialog, CurrentPassword } from './AccountDialog.tsx';
import { TextField } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { accountFailure } from './account-form.ts';

const texts = accountPageTexts.deletion;

interface DeleteAccountProps {
  readonly username: string;
  readonly onDeleted: () => void;
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
  const state = useForm({
    bodyOf: (field): UserDeletion => ({ username: field('username').trim(), password: field('password') }),
    check: (body) => {
      const errors = checkInput(checkUserDeletion, body);
      return accountKey(body.username) === accountKey(username)
        ? errors
        : [
            { field: 'username', message: texts.wrongUsername(username) },
            ...errors.filter(({ field }) => field !== 'username'),
          ];
    },
    send: (body) => callApi('deleteUser', { body }),
    onSent() {
      onDeleted();
      signedOut();
      toast(accountToasts.deleted);
    },
    onFailed: accountFailure(accountToasts.deletionFailed),
    fieldsByCode: { WRONG_PASSWORD: 'password' },
  });
  return (
    <AccountDialog
      title={texts.title}
      about={
        <ul className={styles.consequences}>
          {texts.what.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      }
      state={state}
      action={texts.confirm}
      pendingAction={texts.deleting}
      dangerous
      cancel={texts.cancel}
      onClose={onClose}
    >
      <TextField
        name="username"
        label={texts.username(username)}
        autoComplete="off"
        autoCapitalize="none"
        problem={state.problemOf('username')}
      />
      <CurrentPassword state={state} />
    </AccountDialog>
  );
}

import checkUserDeletion from 'virtual:contract-check/userDeletion';
import { useState } from 'react';
import { accountKey } from '#domain/account-rules.ts';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { signedOut } from '#site/client/session.ts';
import { Dialog } from '#site/ui/Dialog.tsx';
import { toast } from '#site/ui/toasts.ts';
import { accountFieldTexts as fields, accountPageTexts, accountToasts } from '#texts/accounts.ts';
import { AccountForm } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { PasswordField } from './PasswordField.tsx';
import { TextField } from './TextField.tsx';
import { useSubmission } from './use-submission.ts';

const texts = accountPageTexts.deletion;

interface DeleteAccountProps {
  readonly username: string;
  readonly onDeleted: () => void;
}

/** Deletes the account, after a dialog that says what goes and what stays. */
export function DeleteAccount(props: DeleteAccountProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="button button--danger" onClick={() => setAsking(true)}>
        {texts.open}
      </button>
      {asking && <DeletionDialog {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeletionDialog({ username, onDeleted, onClose }: DeleteAccountProps & { readonly onClose: () => void }) {
  const submission = useSubmission({
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
    send: (body) => callApi('deleteUser', { body }),
    onDone: () => {
      onDeleted();
      signedOut();
      toast(accountToasts.deleted);
    },
    failedTitle: accountToasts.deletionFailed,
    fieldsByCode: { WRONG_PASSWORD: 'password' },
  });
  const { pending, problemOf } = submission;
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
        submission={submission}
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

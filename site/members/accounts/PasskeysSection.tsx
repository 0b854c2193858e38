import { useState } from 'react';
import type { PasskeySummary, PasswordConfirmation } from '#api/members/accounts/account-security.contract.ts';
import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { formatDay } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { passkeyTexts as texts } from '#texts/account-security.ts';
import { AccountDialog } from './AccountDialog.tsx';
import { TextField } from './AccountForm.tsx';
import styles from './AccountPage.module.css';
import { NotLoaded, useAccountSecurity } from './AccountSecurity.tsx';
import { loadPasskeyBrowser, suggestedName, usePasskeySupport } from '#site/client/passkeys.ts';
import { accountFailure } from './account-form.ts';
import { PasswordDialog } from './PasswordDialog.tsx';

type Open = 'add' | { readonly rename: PasskeySummary } | { readonly remove: PasskeySummary } | null;

/** The passkeys of the account: the member adds, renames, and removes them. */
export function PasskeysSection({ username }: { readonly username: string }) {
  const { data, isError } = useAccountSecurity();
  const isSupported = usePasskeySupport();
  const [open, setOpen] = useState<Open>(null);
  if (data === undefined) return <NotLoaded isError={isError} texts={texts} />;
  const { passkeys } = data;
  const close = () => setOpen(null);
  const done = (message: Parameters<typeof toast>[0]) => {
    close();
    toast(message);
    void queryClient().refetchQueries({ queryKey: queryKeys.accountSecurity });
  };
  const add = async (body: PasswordConfirmation) => {
    const creation = await callApi('passkeyCreation', { body });
    const { createPasskey } = await loadPasskeyBrowser();
    const created = await createPasskey(creation, username);
    return callApi('addPasskey', { body: { ...created, name: suggestedName() || texts.unnamed } });
  };
  return (
    <div className="stack">
      {passkeys.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul className={styles.sessions} aria-label={texts.heading}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <p>
                <b dir="auto">{passkey.name}</b>
                <span className="muted small">
                  {passkey.lastUsedAt === null
                    ? texts.added(formatDay(passkey.createdAt))
                    : texts.used(formatDay(passkey.lastUsedAt))}
                </span>
              </p>
              <div className="row">
                <button
                  type="button"
                  className="button button--small"
                  aria-label={texts.renameName(passkey.name)}
                  onClick={() => setOpen({ rename: passkey })}
                >
                  {texts.rename}
                </button>
                <button
                  type="button"
                  className="button button--small"
                  aria-label={texts.removeName(passkey.name)}
                  onClick={() => setOpen({ remove: passkey })}
                >
                  {texts.remove}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isSupported && passkeys.length < limits.passkeys && (
        <div>
          <button type="button" className="button" onClick={() => setOpen('add')}>
            {texts.add}
          </button>
        </div>
      )}
      {open === 'add' && (
        <PasswordDialog
          title={texts.addTitle}
          text={texts.addText}
          action={texts.addConfirm}
          pendingAction={texts.adding}
          failedTitle={texts.addFailed}
          run={add}
          onDone={() => done(texts.addedToast)}
          onClose={close}
        />
      )}
      {open !== null && open !== 'add' && 'rename' in open && (
        <RenameDialog passkey={open.rename} onDone={() => done(texts.renamed)} onClose={close} />
      )}
      {open !== null && open !== 'add' && 'remove' in open && (
        <PasswordDialog
          title={texts.removeTitle(open.remove.name)}
          text={texts.removeText}
          action={texts.removeConfirm}
          pendingAction={texts.removing}
          failedTitle={texts.removeFailed}
          run={(body) => callApi('removePasskey', { params: { id: open.remove.id }, body })}
          onDone={() => done(texts.removed)}
          onClose={close}
        />
      )}
    </div>
  );
}

interface RenameDialogProps {
  readonly passkey: PasskeySummary;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RenameDialog({ passkey: { id, name }, onDone, onClose }: RenameDialogProps) {
  const state = useForm({
    bodyOf: (field) => ({ name: field('name').trim().slice(0, limits.passkeyName) }),
    check: (body) => (body.name === '' ? [{ field: 'name', message: texts.noName }] : []),
    send: (body) => callApi('renamePasskey', { params: { id }, body }),
    onSent: onDone,
    onFailed: accountFailure(texts.renameFailed),
  });
  return (
    <AccountDialog
      title={texts.renameTitle}
      state={state}
      action={texts.save}
      pendingAction={texts.saving}
      onClose={onClose}
    >
      <TextField name="name" label={texts.name} defaultValue={name} problem={state.problemOf('name')} />
    </AccountDialog>
  );
}

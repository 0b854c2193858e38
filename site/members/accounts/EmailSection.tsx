import checkEmailChange from 'virtual:check/EmailChange';
import { useState } from 'react';
import type { EmailChange } from '#api/members/accounts/account-security.contract.ts';
import { callApi } from '#site/client/api.ts';
import { checkInput } from '#site/client/check-input.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { toast } from '#site/ui/toasts.ts';
import { emailTexts as texts } from '#texts/account-security.ts';
import { AccountDialog, CurrentPassword } from './AccountDialog.tsx';
import { TextField } from './AccountForm.tsx';
import { NotLoaded, useAccountSecurity } from './AccountSecurity.tsx';
import { accountFailure } from './account-form.ts';
import { PasswordDialog } from './PasswordDialog.tsx';

/** The account’s email address, whether it is confirmed, and dialogs that change or remove it. */
export function EmailSection({ address }: { readonly address: string | null }) {
  const { data, isError } = useAccountSecurity();
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  if (data === undefined) return <NotLoaded isError={isError} texts={texts} />;
  const { confirmed, pending, sendsMail } = data.email;
  const close = () => setOpen(null);
  const done = (message: Parameters<typeof toast>[0]) => {
    close();
    toast(message);
    void queryClient().refetchQueries({ queryKey: queryKeys.user });
  };
  const changeLabel = address === null ? texts.add : confirmed ? texts.change : texts.confirm;
  return (
    <div className="stack">
      <p>
        {address === null ? (
          texts.none
        ) : (
          <>
            <b dir="auto">{address}</b>{' '}
            <span className="muted small">{confirmed ? texts.confirmed : texts.unconfirmed}</span>
          </>
        )}
      </p>
      <p className="muted">{sendsMail ? texts.use : texts.noMail}</p>
      {sendsMail && pending !== null && <p>{texts.pending(pending)}</p>}
      <div className="row">
        {sendsMail && (
          <button type="button" className="button" onClick={() => setOpen('change')}>
            {changeLabel}
          </button>
        )}
        {(address !== null || pending !== null) && (
          <button type="button" className="button" onClick={() => setOpen('remove')}>
            {texts.remove}
          </button>
        )}
      </div>
      {open === 'change' && (
        <ChangeDialog
          address={pending ?? (confirmed ? null : address)}
          onDone={() => done(texts.sent)}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <PasswordDialog
          title={texts.removeTitle}
          text={texts.removeText}
          action={texts.removeConfirm}
          pendingAction={texts.removing}
          failedTitle={texts.removeFailed}
          run={(body) => callApi('removeEmail', { body })}
          onDone={() => done(texts.removed)}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ChangeDialogProps {
  /** The address to begin with. */
  readonly address: string | null;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ChangeDialog({ address, onDone, onClose }: ChangeDialogProps) {
  const state = useForm({
    bodyOf: (field): EmailChange => ({ email: field('email').trim(), password: field('password') }),
    check: (body) => checkInput(checkEmailChange, body),
    send: (body) => callApi('changeEmail', { body }),
    onSent: onDone,
    onFailed: accountFailure(texts.changeFailed),
    fieldsByCode: { WRONG_PASSWORD: 'password' },
  });
  return (
    <AccountDialog
      title={texts.changeTitle}
      about={<p>{texts.changeText}</p>}
      state={state}
      action={texts.send}
      pendingAction={texts.sending}
      onClose={onClose}
    >
      <TextField
        name="email"
        type="email"
        inputMode="email"
        label={texts.email}
        defaultValue={address ?? ''}
        autoComplete="email"
        problem={state.problemOf('email')}
      />
      <CurrentPassword state={state} />
    </AccountDialog>
  );
}

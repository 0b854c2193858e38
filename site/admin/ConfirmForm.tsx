import { useMutation } from '@tanstack/react-query';
import { useId, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Confirmation } from '#api/admin/operators/operators.contract.ts';
import { routes } from '#api/routes.contract.ts';
import { callRoute } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { isCanceled, sendWithPasskey, usePasskeySupport } from '#site/client/passkeys.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useForm } from '#site/client/use-form.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { adminSignInTexts as texts } from '#texts/operators.ts';
import { confirmationRequest } from './admin-session.ts';
import type { ConfirmationRequest } from './admin-session.ts';

interface ConfirmFormProps {
  readonly kind: ConfirmationRequest['kind'];
  readonly onConfirmed: () => void;
  /** Next to the buttons. */
  readonly cancel?: ReactNode;
}

/** Asks the signed-in member for the password or a passkey again. */
export function ConfirmForm({ kind, onConfirmed, cancel }: ConfirmFormProps) {
  const id = useId();
  const hasPasskeys = usePasskeySupport();
  const onFailed = (error: Error) => failureSentence(error, texts.failed);
  const state = useForm({
    bodyOf: (field): Confirmation => ({ password: field('password') }),
    check: ({ password }) => (password === '' ? [{ field: 'password', message: texts.noPassword }] : []),
    send: (body) => callRoute<'confirmSession'>(routes.confirmSession, { body }),
    onSent: onConfirmed,
    onFailed,
  });
  const byPasskey = useMutation(
    {
      mutationFn: () =>
        sendWithPasskey((passkey) => callRoute<'confirmSession'>(routes.confirmSession, { body: { passkey } })),
      onSuccess: onConfirmed,
    },
    queryClient(),
  );
  const isPending = state.pending || byPasskey.isPending;
  const { error } = byPasskey;
  const problem = error !== null && !isCanceled(error) ? onFailed(error) : undefined;
  const passkeyButton = hasPasskeys && (
    <button
      type="button"
      className={`button ${kind === 'passkey' ? 'button--primary' : ''}`}
      aria-disabled={isPending}
      onClick={() => isPending || byPasskey.mutate()}
    >
      {texts.usePasskey}
    </button>
  );
  if (kind === 'passkey')
    return (
      <div className="stack">
        <p>{hasPasskeys ? texts.passkeyText : texts.noPasskeys}</p>
        {problem !== undefined && <p role="alert">{problem}</p>}
        <DialogActions>
          {cancel}
          {passkeyButton}
        </DialogActions>
      </div>
    );
  return (
    <form {...state.form} className="stack">
      <Field id={id} label={texts.password} problem={state.problemOf('password') ?? state.formProblem ?? problem}>
        {(control) => (
          <input {...control} className="input" type="password" name="password" autoComplete="current-password" />
        )}
      </Field>
      <DialogActions>
        {cancel}
        {passkeyButton}
        <button type="submit" className="button button--primary" aria-disabled={isPending}>
          {isPending ? texts.confirming : texts.confirm}
        </button>
      </DialogActions>
    </form>
  );
}

const readRequest = () => confirmationRequest.get();
const watchRequest = (notify: () => void) => confirmationRequest.listen(notify);
const noRequest = () => null;

/** The dialog that confirms who is at the keyboard when an admin call demands it. */
export function ConfirmAccess() {
  const request = useSyncExternalStore(watchRequest, readRequest, noRequest);
  if (request === null) return null;
  const cancel = () => request.settle(false);
  return (
    <Dialog title={texts.confirmHeading} onClose={cancel}>
      {request.kind === 'any' && <p>{texts.dangerText}</p>}
      <ConfirmForm
        kind={request.kind}
        onConfirmed={() => request.settle(true)}
        cancel={
          <button type="button" className="button" onClick={cancel}>
            {texts.cancel}
          </button>
        }
      />
    </Dialog>
  );
}

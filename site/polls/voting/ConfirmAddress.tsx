import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { voteCodeTexts as texts } from '#texts/vote-code.ts';

/**
 * Asks for an address and the code that is mailed to it, and sends the vote with them. Resolves to the voted poll; rejects
 * with `refusal` when the visitor gives up, and with any failure that another code wouldn’t help against.
 */
export function confirmAddress<B>(
  pollId: string,
  send: (emailCode: string) => Promise<B>,
  refusal: ApiError,
): Promise<B> {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host, { identifierPrefix: 'address-' });
  const { promise, resolve, reject } = Promise.withResolvers<B>();
  root.render(
    <ConfirmAddress pollId={pollId} send={send} onVoted={resolve} onFailed={(error) => reject(error ?? refusal)} />,
  );
  return promise.finally(() => {
    root.unmount();
    host.remove();
  });
}

interface ConfirmAddressProps<B> {
  readonly pollId: string;
  readonly send: (emailCode: string) => Promise<B>;
  readonly onVoted: (voted: B) => void;
  /** Null: the visitor gave up. */
  readonly onFailed: (error: Error | null) => void;
}

type Step =
  | { readonly kind: 'address'; readonly problem: string | null }
  | { readonly kind: 'code'; readonly request: string; readonly problem: string | null };

function ConfirmAddress<B>({ pollId, send, onVoted, onFailed }: ConfirmAddressProps<B>) {
  const id = useId();
  const [step, setStep] = useState<Step>({ kind: 'address', problem: null });
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');

  const request = useMutation<{ request: string }>(
    {
      mutationFn: () => callApi('requestVoteCode', { body: { pollId, email } }),
      onSuccess: (sent) => setStep({ kind: 'code', request: sent.request, problem: null }),
      onError: (error) => setStep({ kind: 'address', problem: failureSentence(error, texts.failed) }),
    },
    queryClient(),
  );
  const vote = useMutation<B, Error, { readonly request: string }>(
    {
      mutationFn: (asked) => send(`${asked.request}.${code}`),
      onSuccess: onVoted,
      onError: (error, asked) => {
        setCode('');
        const problem = failureSentence(error, texts.voteFailed);
        const problemCode = error instanceof ApiError ? error.code : undefined;
        if (problemCode === 'EMAIL_CODE_WRONG' || problemCode === 'API_UNREACHABLE')
          setStep({ kind: 'code', request: asked.request, problem });
        else if (problemCode === 'EMAIL_CODE_EXPIRED' || problemCode === 'ADDRESS_USED')
          setStep({ kind: 'address', problem });
        else onFailed(error);
      },
    },
    queryClient(),
  );

  if (step.kind === 'address')
    return (
      <ConfirmDialog
        title={texts.title}
        text={texts.addressText}
        confirm={request.isPending ? texts.sending : texts.send}
        cancel={texts.cancel}
        pending={request.isPending}
        disabled={email.trim() === ''}
        problem={step.problem}
        onConfirm={() => request.mutate()}
        onClose={() => onFailed(null)}
      >
        <Field id={`${id}-email`} label={texts.email} hint={texts.emailHint}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="email"
              autoComplete="email"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      // Another step, which takes the focus.
      key="code"
      title={texts.title}
      text={texts.codeText(email)}
      confirm={vote.isPending ? texts.voting : texts.vote}
      cancel={texts.cancel}
      pending={vote.isPending}
      problem={step.problem}
      onConfirm={() => {
        if (/^\d{6}$/.test(code)) vote.mutate(step);
        else setStep({ ...step, problem: texts.incomplete });
      }}
      onClose={() => onFailed(null)}
    >
      <Field id={`${id}-code`} label={texts.code} hint={texts.codeHint}>
        {(control) => (
          <input
            {...control}
            className="input"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
          />
        )}
      </Field>
      <p>
        <button
          type="button"
          className="button button--small"
          onClick={() => setStep({ kind: 'address', problem: null })}
        >
          {texts.other}
        </button>
      </p>
    </ConfirmDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import type { AccountSecurity, SessionSummary } from '#api/members/accounts/account-security.contract.ts';
import { formatDay } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { recoveryCodeTexts as texts, sessionTexts } from '#texts/account-security.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './AccountPage.module.css';

/** Security settings of the account; sections of the account page share one request. */
export function useAccountSecurity() {
  return useQuery(
    { queryKey: queryKeys.accountSecurity, queryFn: ({ signal }) => callApi('accountSecurity', { signal }) },
    queryClient(),
  );
}

interface NotLoadedProps {
  readonly isError: boolean;
  readonly texts: Readonly<Record<'failed' | 'loading', string>>;
}

/** In place of a section whose data is loading or failed to load. */
export function NotLoaded({ isError, texts }: NotLoadedProps) {
  // A new element: an alert is read when it is inserted.
  if (isError)
    return (
      <p key="failed" role="alert">
        {texts.failed}
      </p>
    );
  return <p key="loading">{texts.loading}</p>;
}

/** How many recovery codes are left, and a button that replaces them. */
export function RecoveryCodesSection({ username }: { readonly username: string }) {
  const { data, isError } = useAccountSecurity();
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const left = data?.recoveryCodes;
  const noWayBack = data?.recoveryCodes === 0 && !(data.email.confirmed && data.email.sendsMail);

  const handleCreated = ({ recoveryCodes }: { readonly recoveryCodes: readonly string[] }) => {
    setAsking(false);
    setCodes(recoveryCodes);
    void updateCached<AccountSecurity>(queryKeys.accountSecurity, (security) => ({
      ...security,
      recoveryCodes: recoveryCodes.length,
    }));
  };

  return (
    <div className="stack">
      {codes === undefined ? (
        left === undefined ? (
          <NotLoaded isError={isError} texts={texts} />
        ) : (
          <p className={noWayBack ? 'refusal' : undefined}>{noWayBack ? texts.noWayBack : texts.left(left)}</p>
        )
      ) : (
        <>
          <p ref={(element) => element?.focus()} tabIndex={-1}>
            {texts.newText}
          </p>
          <RecoveryCodes username={username} codes={codes} />
        </>
      )}
      <div>
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {left === 0 ? texts.create : texts.replace}
        </button>
      </div>
      {asking && (
        <PasswordDialog
          title={texts.dialogTitle}
          text={texts.dialogText}
          action={texts.confirm}
          pendingAction={texts.creating}
          failedTitle={texts.createFailed}
          run={(body) => callApi('createRecoveryCodes', { body })}
          onDone={handleCreated}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** The sessions of the account; the member can end one, or all others. */
export function SessionsSection() {
  const { data, isError } = useAccountSecurity();
  /** The session to end; null for all others. */
  const [ending, setEnding] = useState<SessionSummary | null>();
  const sessions = data?.sessions ?? [];
  const others = sessions.filter(({ current }) => !current);

  const handleEnded = () => {
    setEnding(undefined);
    toast(sessionTexts.ended);
    void queryClient().refetchQueries({ queryKey: queryKeys.accountSecurity });
  };

  if (data === undefined) return <NotLoaded isError={isError} texts={sessionTexts} />;
  return (
    <div className="stack">
      <ul className={styles.sessions} aria-label={sessionTexts.heading}>
        {sessions.map((session) => (
          <li key={session.id}>
            <p>
              <b>{session.device ?? sessionTexts.unknown}</b>
              <span className="muted small">
                {session.current ? sessionTexts.current : sessionTexts.used(formatDay(session.lastUsedAt))}
              </span>
            </p>
            {!session.current && (
              <button
                type="button"
                className="button button--small"
                aria-label={sessionTexts.endName(session.device ?? sessionTexts.unknown)}
                onClick={() => setEnding(session)}
              >
                {sessionTexts.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div>
          <button type="button" className="button" onClick={() => setEnding(null)}>
            {sessionTexts.endOthers}
          </button>
        </div>
      )}
      {ending !== undefined && (
        <PasswordDialog
          title={
            ending === null ? sessionTexts.othersTitle : sessionTexts.oneTitle(ending.device ?? sessionTexts.unknown)
          }
          text={sessionTexts.dialogText}
          action={sessionTexts.confirm}
          pendingAction={sessionTexts.endingAction}
          failedTitle={sessionTexts.endFailed}
          run={({ password }) => callApi('endSessions', { body: { password, ...(ending && { id: ending.id }) } })}
          onDone={handleEnded}
          onClose={() => setEnding(undefined)}
        />
      )}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import type { AccountSecurity } from '#contract/account-security.ts';
import { recoveryCodeTexts as texts } from '#texts/account-security.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './AccountPage.module.css';

/** How the account is protected; sections of the account page share one request. */
function useAccountSecurity() {
  return useQuery(
    { queryKey: queryKeys.accountSecurity, queryFn: ({ signal }) => callApi('accountSecurity', { signal }) },
    queryClient(),
  );
}

/** How many recovery codes are left, and a button that replaces them. */
export function RecoveryCodesSection({ username }: { readonly username: string }) {
  const { data, isError } = useAccountSecurity();
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const left = data?.recoveryCodes;

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
        <p className={left === 0 ? styles.missing : undefined} role="status">
          {left === undefined ? (isError ? texts.failed : texts.loading) : texts.left(left)}
        </p>
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

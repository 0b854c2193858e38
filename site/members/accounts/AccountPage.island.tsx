import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider, signOut } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { MemberGate } from '#site/client/MemberGate.tsx';
import { formatDay } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { PageSection } from '#site/ui/PageSection.tsx';
import { toast } from '#site/ui/toasts.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { saveFile } from '#site/client/save-file.ts';
import {
  accountFailureTexts,
  accountPageTexts as texts,
  accountToasts as toasts,
  exportFileName,
  exportTableName,
} from '#texts/accounts.ts';
import { emailTexts, passkeyTexts, recoveryCodeTexts, sessionTexts } from '#texts/account-security.ts';
import styles from './AccountPage.module.css';
import { RecoveryCodesSection, SessionsSection } from './AccountSecurity.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { EmailSection } from './EmailSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { WaitingSignIns } from './WaitingSignIns.tsx';

/** The page where members change their data, download it, sign out, or delete the account. */
export default function AccountPage() {
  const [deleted, setDeleted] = useState(false);
  if (deleted)
    return (
      <div ref={(element) => element?.focus()} tabIndex={-1}>
        <Notice
          title={texts.deletion.doneTitle}
          text={texts.deletion.doneText}
          level={1}
          action={texts.deletion.home}
          href="/"
        />
      </div>
    );
  return (
    <AuthProvider>
      <MemberGate title={texts.title}>
        {(user) => <Account user={user} onDeleted={() => setDeleted(true)} />}
      </MemberGate>
    </AuthProvider>
  );
}

function Account({ user, onDeleted }: { readonly user: User; readonly onDeleted: () => void }) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <p className="kicker no-print">
          <a className="back-link" href="/profile">
            <span aria-hidden="true">←</span> {texts.kicker}
          </a>
        </p>
        <h1>{texts.title}</h1>
        <dl className={styles.facts}>
          <div>
            <dt>{texts.signedInAs}</dt>
            <dd dir="auto">{user.username}</dd>
          </div>
          <div>
            <dt>{texts.since}</dt>
            <dd>
              <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
            </dd>
          </div>
        </dl>
      </header>
      <WaitingSignIns />
      <PageSection {...texts.person}>
        <ProfileForm user={user} />
      </PageSection>
      <PageSection {...texts.password}>
        <PasswordForm user={user} />
      </PageSection>
      <PageSection heading={passkeyTexts.heading} text={passkeyTexts.text}>
        <PasskeysSection username={user.username} />
      </PageSection>
      <PageSection heading={emailTexts.heading} text={emailTexts.text}>
        <EmailSection address={user.email} />
      </PageSection>
      <PageSection heading={recoveryCodeTexts.heading} text={recoveryCodeTexts.text}>
        <RecoveryCodesSection username={user.username} />
      </PageSection>
      <PageSection heading={sessionTexts.heading} text={sessionTexts.text}>
        <SessionsSection />
      </PageSection>
      <PageSection {...texts.session}>
        <LogOut />
      </PageSection>
      <PageSection {...texts.data}>
        <DownloadData />
      </PageSection>
      <PageSection {...texts.deletion}>
        <DeleteAccount username={user.username} onDeleted={onDeleted} />
      </PageSection>
    </div>
  );
}

const showFailure = (title: string) => (error: Error) =>
  toast({ title, text: failureSentence(error, accountFailureTexts.unknown), destructive: true });

/** Signs out on this device. Unlike the button in the navigation, it reports a failure. */
function LogOut() {
  const { mutate, isPending } = useMutation(
    {
      mutationFn: signOut,
      onSuccess: () => toast(toasts.loggedOut),
      onError: showFailure(toasts.logoutFailed),
    },
    queryClient(),
  );
  return (
    <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
      {texts.session.logout}
    </button>
  );
}

/** Downloads everything that is stored about the member. */
function DownloadData() {
  const { mutate, isPending } = useMutation(
    {
      async mutationFn(format: 'json' | 'csv') {
        const data = await callApi('exportUser');
        if (format === 'csv') {
          const { exportTable } = await import('./export-table.ts');
          saveFile(exportTableName, new Blob([exportTable(data)], { type: 'text/csv' }));
        } else saveFile(exportFileName, new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }));
      },
      onSuccess() {
        toast(toasts.downloaded);
      },
      onError: showFailure(toasts.downloadFailed),
    },
    queryClient(),
  );
  return (
    <>
      <div className="row">
        <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate('json')}>
          {isPending && <Vane busy />}
          {isPending ? texts.data.downloading : texts.data.download}
        </button>
        <button type="button" className="button" aria-disabled={isPending} onClick={() => !isPending && mutate('csv')}>
          {texts.data.table}
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {isPending && texts.data.downloading}
      </p>
    </>
  );
}

import { useState } from 'react';
import type { User } from '#contract/account.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { MemberGate } from '#site/layouts/MemberGate.tsx';
import { formatDay } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { accountPageTexts as texts } from '#texts/accounts.ts';
import { AccountSection } from './AccountSection.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { DownloadData } from './DownloadData.tsx';
import { LogOut } from './LogOut.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { PersonForm } from './PersonForm.tsx';
import styles from './AccountPage.module.css';

/** Where members change what is kept about them, take it along, or leave. */
export default function AccountPage() {
  const [deleted, setDeleted] = useState(false);
  if (deleted)
    return (
      <div ref={(place) => place?.focus()} tabIndex={-1}>
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
          <a className={styles.back} href="/profile">
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
      <AccountSection {...texts.person}>
        <PersonForm user={user} />
      </AccountSection>
      <AccountSection {...texts.password}>
        <PasswordForm username={user.username} />
      </AccountSection>
      <AccountSection {...texts.session}>
        <LogOut />
      </AccountSection>
      <AccountSection {...texts.data}>
        <DownloadData />
      </AccountSection>
      <AccountSection {...texts.deletion}>
        <DeleteAccount username={user.username} onDeleted={onDeleted} />
      </AccountSection>
    </div>
  );
}

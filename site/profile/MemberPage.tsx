import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { useLeaving } from '#site/client/use-leaving.ts';
import { NeedsScript } from '#site/ui/NeedsScript.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { keepToast } from '#site/ui/kept-toast.ts';
import { accountToasts, gateTexts as texts } from '#texts/accounts.ts';
import { memberPageTexts } from '#texts/profile.ts';
import styles from './MemberPage.module.css';

const keepLogoutToast = () => keepToast(accountToasts.loggedOut);

interface MemberPageProps {
  /** What a member sees; with null while it is not known who reads: place holders of the same size. */
  readonly children: (user: User | null) => ReactNode;
  /** What the page is called while it is not known who reads. */
  readonly title: string;
  /** Says that the page is being opened. */
  readonly loading: string;
}

/** A page that only a member sees; others are told why they see nothing, and what to do. */
export function MemberPage(props: MemberPageProps) {
  return (
    <AuthProvider>
      <Gate {...props} />
    </AuthProvider>
  );
}

function Gate({ children, title, loading }: MemberPageProps) {
  const { status, user, error } = useAuth();
  const leaving = useLeaving(keepLogoutToast);
  if (status === 'signed-in') return <div className={styles.page}>{children(user)}</div>;
  if (status === 'loading' || leaving)
    return (
      <>
        <NeedsScript title={title} />
        <p className="visually-hidden js-only" role="status">
          {leaving ? texts.leaving : loading}
        </p>
        {/* For members only: nobody else sees places of things that they do not get. */}
        <div className={`js-only ${styles.page} ${styles.waiting}`} aria-hidden="true" inert>
          {children(null)}
        </div>
      </>
    );
  return (
    <div className={styles.gate}>
      {error ? (
        <Notice failed title={texts.failedTitle} text={texts.failedText} level={1}>
          <RetryButton pending={false} />
        </Notice>
      ) : (
        <Notice
          title={texts.title}
          text={texts.text}
          level={1}
          action={texts.signIn}
          href={`/api/login?next=${encodeURIComponent(location.pathname)}`}
        />
      )}
    </div>
  );
}

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The head of a page below the profile. */
export function PageHead({ title, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <p className="kicker no-print">
        <a className={styles.back} href="/profile">
          <span aria-hidden="true">←</span> {memberPageTexts.profile}
        </a>
      </p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </header>
  );
}

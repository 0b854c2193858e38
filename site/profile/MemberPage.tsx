import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { MemberGate } from '#site/layouts/MemberGate.tsx';
import { gateTexts } from '#texts/accounts.ts';
import { memberPageTexts } from '#texts/profile.ts';
import styles from './MemberPage.module.css';

interface MemberPageProps {
  /** What a member sees; with null while it is not known who reads: place holders of the same size. */
  readonly children: (user: User | null) => ReactNode;
  /** What the page is called while it is not known who reads. */
  readonly title: string;
  /** Says that the page is being opened. */
  readonly loading: string;
}

/** A page that only a member sees; others are told why they see nothing, and what to do. */
export function MemberPage({ children, title, loading }: MemberPageProps) {
  return (
    <AuthProvider>
      <MemberGate
        title={title}
        waiting={(leaving) => (
          <>
            <p className="visually-hidden js-only" role="status">
              {leaving ? gateTexts.leaving : loading}
            </p>
            {/* For members only: nobody else sees places of things that they do not get. */}
            <div className={`js-only ${styles.page} ${styles.waiting}`} aria-hidden="true" inert>
              {children(null)}
            </div>
          </>
        )}
      >
        {(user) => <div className={styles.page}>{children(user)}</div>}
      </MemberGate>
    </AuthProvider>
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

import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import * as limits from '#contract/limits.ts';
import type { ActivityStats } from '#contract/profile.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { MemberGate } from '#site/client/MemberGate.tsx';
import { formatCount } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { gateTexts } from '#texts/accounts.ts';
import { memberPageTexts as texts } from '#texts/profile.ts';
import styles from './MemberPage.module.css';

interface MemberPageProps {
  /** The member's content; called with null for placeholders of the same size while the sign-in state is unknown. */
  readonly children: (user: User | null) => ReactNode;
  /** Heading while the sign-in state is unknown. */
  readonly title: string;
  /** Status message while the page loads. */
  readonly loading: string;
}

/** A page for members only; others are asked to sign in. */
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
            {/* Only members see the placeholders. */}
            <div className={`js-only ${styles.page} ${styles.placeholder}`} aria-hidden="true" inert>
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

/** The header of a page below the profile. */
export function PageHead({ title, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <p className="kicker no-print">
        <a className="back-link" href="/profile">
          <span aria-hidden="true">←</span> {texts.profile}
        </a>
      </p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </header>
  );
}

/** The four totals of a member, or placeholders of the same size while they load. */
export function Figures({ stats }: { readonly stats: ActivityStats | undefined }) {
  const figures = [
    [texts.figures.votes, stats?.votes],
    [texts.figures.polls, stats?.polls],
    [texts.figures.comments, stats?.comments],
    [texts.figures.badges, stats?.badges, texts.figures.badgesOf(formatCount(limits.badges))],
  ] as const;
  return (
    <dl className={`figures ${styles.figures}`} aria-label={texts.figures.label}>
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt className="figures__label">{label}</dt>
          <dd className={styles.figure}>
            {value === undefined ? (
              <span className={`skeleton ${styles.figurePlaceholder}`} />
            ) : (
              <>
                <span className="figures__value">{formatCount(value)}</span>
                {note !== undefined && <span className="figures__note">{note}</span>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FailedProps {
  readonly title: string;
  /** A retry is running. */
  readonly pending: boolean;
  readonly level?: 1 | 2 | 3;
}

/** Replaces something that failed to load. */
export function Failed({ title, pending, level = 2 }: FailedProps) {
  return (
    <Notice failed title={title} text={texts.failed.text} level={level}>
      <RetryButton pending={pending} />
    </Notice>
  );
}

/** Says below older data that it could not be refreshed. */
export function Stale({ pending }: { readonly pending: boolean }) {
  return (
    <div className="row" role="alert">
      <p>{texts.failed.stale}</p>
      <RetryButton pending={pending} small />
    </div>
  );
}

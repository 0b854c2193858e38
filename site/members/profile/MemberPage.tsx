import type { ReactNode } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ActivityStats } from '#api/members/profile/profile.contract.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { MemberGate } from '#site/client/MemberGate.tsx';
import { formatCount } from '#site/ui/format.ts';
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
            <p className="visually-hidden js-only">{leaving ? gateTexts.leaving : loading}</p>
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

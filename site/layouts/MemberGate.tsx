import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import { useAuth, useLeaving } from '#site/client/auth.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { keepToast } from '#site/ui/kept-toast.ts';
import { NeedsScript } from '#site/ui/NeedsScript.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { accountToasts, gateTexts as texts } from '#texts/accounts.ts';
import styles from './MemberGate.module.css';

const keepLogoutToast = () => keepToast(accountToasts.loggedOut);

interface MemberGateProps {
  readonly children: (user: User) => ReactNode;
  /** What the page is called while it is not known who reads. */
  readonly title: string;
  /** Shown while it is not known who reads, or while a member leaves; without it: one line. */
  readonly waiting?: (leaving: boolean) => ReactNode;
}

/** What only a member sees; others are told why they see nothing, and what to do. */
export function MemberGate({ children, title, waiting }: MemberGateProps) {
  const { status, user, error } = useAuth();
  const leaving = useLeaving(keepLogoutToast);

  if (status === 'signed-in') return children(user);
  if (status === 'loading' || leaving)
    return (
      <>
        <NeedsScript title={title} />
        {waiting?.(leaving) ?? (
          <div className={styles.gate}>
            <p className={`js-only ${styles.waiting}`} role="status">
              <Vane busy />
              {leaving ? texts.leaving : texts.loading}
            </p>
          </div>
        )}
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

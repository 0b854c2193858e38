import type { ReactNode } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { useAuth, useLeaving } from './auth.tsx';
import { RetryButton } from './RetryButton.tsx';
import { keepToast } from '#site/ui/stored-toast.ts';
import { NeedsScript } from '#site/ui/NeedsScript.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { accountToasts, gateTexts as texts } from '#texts/accounts.ts';
import styles from './MemberGate.module.css';

const keepLogoutToast = () => keepToast(accountToasts.loggedOut);

interface MemberGateProps {
  readonly children: (user: User) => ReactNode;
  /** The page’s title while the session is unknown. */
  readonly title: string;
  /** Shown while the session is unknown or a member is signing out; one line by default. */
  readonly waiting?: (leaving: boolean) => ReactNode;
}

/** Content for members only; others see a notice to sign in. */
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
            <p className={`js-only ${styles.waiting}`}>
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

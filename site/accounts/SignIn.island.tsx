import { useEffect } from 'react';
import { nextPath } from '#domain/next-path.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { dismissFailure } from '#site/ui/toasts.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { authTexts as texts } from '#texts/accounts.ts';
import { AuthTabs } from './AuthTabs.tsx';
import { LoginForm } from './LoginForm.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import styles from './SignIn.module.css';
import { useAuthTab } from './use-auth-tab.ts';

/** The card that signs somebody in or makes an account, and then leads on. */
export default function SignIn({ siteName }: { readonly siteName: string }) {
  return (
    <AuthProvider>
      <SignInCard siteName={siteName} />
    </AuthProvider>
  );
}

function SignInCard({ siteName }: { readonly siteName: string }) {
  const { status } = useAuth();
  const [tab, setTab] = useAuthTab();
  const arrived = status === 'signed-in';

  // Whoever is signed in, now or before, has no business here; going back does not lead here again.
  useEffect(() => {
    if (arrived) location.replace(nextPath(new URLSearchParams(location.search).get('next')));
  }, [arrived]);

  // A failed login says nothing about the form that takes its place.
  useEffect(() => dismissFailure, [tab]);

  return (
    <section className={`card ${styles.card}`} aria-labelledby="sign-in">
      <h1 id="sign-in" className={styles.title}>
        {texts.title(siteName)}
      </h1>
      <p className={styles.text}>{texts.text}</p>
      {arrived ? (
        <p className={styles.arrived} role="status">
          <Vane busy />
          {texts.arrived}
        </p>
      ) : (
        <div className="js-only">
          <AuthTabs
            tab={tab}
            onTab={setTab}
            panels={{ login: <LoginForm />, register: <RegisterForm siteName={siteName} /> }}
          />
        </div>
      )}
      <p className="no-js-only notice">{texts.noScript}</p>
    </section>
  );
}

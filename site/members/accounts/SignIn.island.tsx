import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { nextPath } from '#domain/next-path.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { dismissFailure } from '#site/ui/toasts.ts';
import { Vane } from '#site/ui/Vane.tsx';
import { emailTexts, recoveryCodeTexts } from '#texts/account-security.ts';
import { authTexts as texts } from '#texts/accounts.ts';
import { LoginForm } from './LoginForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import type { Registered } from './RegisterForm.tsx';
import styles from './SignIn.module.css';

/** The card with the sign-in and registration forms, which redirects after either. */
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
  const [registered, setRegistered] = useState<Registered | null>(null);
  const signedIn = status === 'signed-in' && registered === null;

  // Members are redirected, and the browser's back button skips this page.
  useEffect(() => {
    if (signedIn) location.replace(nextPath(new URLSearchParams(location.search).get('next')));
  }, [signedIn]);

  // An error notification belongs to the form that is no longer shown.
  useEffect(() => dismissFailure, [tab]);

  if (registered !== null)
    return (
      <section className={`card ${styles.card} ${styles.registered}`} aria-labelledby="codes">
        <h1 id="codes" className={styles.title} ref={(heading) => heading?.focus()} tabIndex={-1}>
          {recoveryCodeTexts.newTitle}
        </h1>
        <p className="muted">{recoveryCodeTexts.newText}</p>
        <RecoveryCodes username={registered.username} codes={registered.codes} />
        {registered.emailToConfirm !== null && (
          <p className="notice">{emailTexts.pending(registered.emailToConfirm)}</p>
        )}
        <button
          type="button"
          className="button button--primary button--wide no-print"
          onClick={() => setRegistered(null)}
        >
          {recoveryCodeTexts.saved}
        </button>
      </section>
    );
  return (
    <section className={`card ${styles.card}`} aria-labelledby="sign-in">
      <h1 id="sign-in" className={styles.title}>
        {texts.title(siteName)}
      </h1>
      <p className={styles.text}>{texts.text}</p>
      {signedIn ? (
        <p className={styles.redirecting}>
          <Vane busy />
          {texts.redirecting}
        </p>
      ) : (
        <div className="js-only">
          <AuthTabs
            tab={tab}
            onTab={setTab}
            panels={{
              login: <LoginForm />,
              register: <RegisterForm siteName={siteName} onRegistered={setRegistered} />,
            }}
          />
        </div>
      )}
      <p className="no-js-only notice">{texts.noScript}</p>
    </section>
  );
}

const authTabs = ['login', 'register'] as const;
type AuthTab = (typeof authTabs)[number];

function subscribeToHash(notify: () => void): () => void {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

function showTab(tab: AuthTab): void {
  history.replaceState(history.state, '', `#${tab}`);
  dispatchEvent(new Event('hashchange'));
}

/** The selected tab, which is login unless the URL ends in #register, and its setter. */
function useAuthTab(): readonly [AuthTab, (tab: AuthTab) => void] {
  const tab = useSyncExternalStore<AuthTab>(
    subscribeToHash,
    () => (location.hash === '#register' ? 'register' : 'login'),
    () => 'login',
  );
  return [tab, showTab];
}

interface AuthTabsProps {
  readonly tab: AuthTab;
  readonly onTab: (tab: AuthTab) => void;
  readonly panels: Readonly<Record<AuthTab, ReactNode>>;
}

/** Two tabs; arrow keys, Home and End move between them. Both panels stay mounted so that typed text is kept. */
function AuthTabs({ tab, onTab, panels }: AuthTabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // A click before hydration would be lost.
  const hydrated = useHydrated();

  const handleKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: 'login', ArrowRight: 'register', Home: 'login', End: 'register' }[event.key] as
      AuthTab | undefined;
    if (next === undefined) return;
    event.preventDefault();
    onTab(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };

  return (
    <>
      {/* The tabs have the focus; their key events bubble up to the list. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div ref={list} className={styles.tabs} role="tablist" aria-label={texts.tabs} onKeyDown={handleKeyDown}>
        {authTabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}-tab`}
            className={styles.tab}
            data-tab={name}
            aria-selected={name === tab}
            aria-controls={`${id}-${name}`}
            tabIndex={name === tab ? 0 : -1}
            disabled={!hydrated}
            onClick={() => onTab(name)}
          >
            {texts[name]}
          </button>
        ))}
      </div>
      {authTabs.map((name) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-${name}`}
          aria-labelledby={`${id}-${name}-tab`}
          hidden={name !== tab}
        >
          {panels[name]}
        </div>
      ))}
    </>
  );
}

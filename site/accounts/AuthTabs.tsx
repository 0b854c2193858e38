import { useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { authTexts } from '#texts/accounts.ts';
import styles from './SignIn.module.css';
import { authTabs } from './use-auth-tab.ts';
import type { AuthTab } from './use-auth-tab.ts';

interface AuthTabsProps {
  readonly tab: AuthTab;
  readonly onTab: (tab: AuthTab) => void;
  readonly panels: Readonly<Record<AuthTab, ReactNode>>;
}

/** Two tabs; arrow keys, Home and End move between them. Both panels stay, so that nothing typed is lost. */
export function AuthTabs({ tab, onTab, panels }: AuthTabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // A press before the page is awake would be lost.
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
      {/* The tabs themselves have the focus; the keys arrive here from them. */}
      {/* eslint-disable-next-line jsx-a11y-x/interactive-supports-focus */}
      <div ref={list} className={styles.tabs} role="tablist" aria-label={authTexts.tabs} onKeyDown={handleKeyDown}>
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
            {authTexts[name]}
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

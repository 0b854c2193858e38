import { Fragment, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { adminTexts } from '#texts/admin.ts';
import { deskPages, zoneTexts } from '#texts/desk.ts';
import type { DeskPage } from '#texts/desk.ts';
import styles from './Admin.module.css';
import { adminPassword, lock } from './admin-session.ts';
import { AdminSignIn } from './AdminSignIn.tsx';
import { useDeskZone } from './desk-time.ts';
import { useFragment } from './use-address.ts';

const readPassword = () => adminPassword.get();
const watchPassword = (onChange: () => void) => adminPassword.listen(onChange);

/** A page of the operator’s desk: the sign-in form, or navigation, heading, and the page’s content. */
export function AdminPage({ page, children }: { readonly page: DeskPage; readonly children: ReactNode }) {
  const zone = useDeskZone();
  const password = useSyncExternalStore(watchPassword, readPassword, readPassword);
  const unlocked = useHydrated() && password !== null;
  const root = useRef<HTMLDivElement>(null);
  const lastPassword = useRef(password);

  useFragment(unlocked);

  // The focused element was removed with the form or the page.
  useEffect(() => {
    if (lastPassword.current === password) return;
    lastPassword.current = password;
    root.current?.querySelector('h1')?.focus();
  }, [password]);

  if (!unlocked)
    return (
      <div ref={root}>
        <AdminSignIn />
      </div>
    );
  return (
    <div ref={root} className={styles.panel}>
      <header className={styles.head}>
        <h1 tabIndex={-1}>{deskPages[page].title}</h1>
        <button type="button" className="button" onClick={lock}>
          {adminTexts.logout}
        </button>
      </header>
      <nav className={styles.pages} aria-label={adminTexts.pages}>
        <ul>
          {Object.entries(deskPages).map(([name, { path, link }]) => (
            <li key={name}>
              <a href={path} aria-current={name === page ? 'page' : undefined}>
                {link}
              </a>
            </li>
          ))}
        </ul>
        <p className="muted small">
          {zoneTexts.shown(zone)} <a href={`${deskPages.settings.path}#time-zone`}>{zoneTexts.change}</a>
        </p>
      </nav>
      {/* Another time zone changes every time that is shown. */}
      <Fragment key={zone}>{children}</Fragment>
    </div>
  );
}

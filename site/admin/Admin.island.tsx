import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { adminTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { adminPassword, lock } from './admin-session.ts';
import { AdminContents } from './AdminSection.tsx';
import { AdminSignIn } from './AdminSignIn.tsx';
import { Featured } from './Featured.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportPolls } from './ImportPolls.tsx';
import { Integrity } from './Integrity.tsx';
import { Members } from './Members.tsx';
import { PollList } from './PollList.tsx';
import { DiskSpace, Publish } from './Publish.tsx';
import { Reports } from './Reports.tsx';
import { VoteBursts } from './VoteBursts.tsx';

const readPassword = () => adminPassword.get();
const watchPassword = (onChange: () => void) => adminPassword.listen(onChange);

/** The admin page: the sign-in form, or the panel. */
export default function Admin() {
  const password = useSyncExternalStore(watchPassword, readPassword, readPassword);
  const unlocked = useHydrated() && password !== null;
  const root = useRef<HTMLDivElement>(null);
  const lastPassword = useRef(password);

  // The focused element was removed with the form or the panel.
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
        <h1 tabIndex={-1}>{texts.unlocked}</h1>
        <button type="button" className="button" onClick={lock}>
          {texts.logout}
        </button>
      </header>
      <DiskSpace />
      <AdminContents />
      <ImportPolls />
      <Publish />
      <ImportHistory />
      <PollList />
      <Integrity />
      <VoteBursts />
      <Reports />
      <Featured />
      <Members />
    </div>
  );
}

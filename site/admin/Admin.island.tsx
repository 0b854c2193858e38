import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { adminTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import { AdminContents } from './AdminContents.tsx';
import { AdminForm } from './AdminForm.tsx';
import { adminPassword, lock } from './admin-session.ts';
import { DiskSpace } from './DiskSpace.tsx';
import { Featured } from './Featured.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportPolls } from './ImportPolls.tsx';
import { PollList } from './PollList.tsx';
import { Publish } from './Publish.tsx';
import { Reports } from './Reports.tsx';
import { VoteBursts } from './VoteBursts.tsx';

/** The operator's page: locked, or the panel. */
export default function Admin() {
  const password = useStore(adminPassword);
  const unlocked = useHydrated() && password !== null;
  const place = useRef<HTMLDivElement>(null);
  const lastPassword = useRef(password);

  // What had the focus went with the other half of the page.
  useEffect(() => {
    if (lastPassword.current === password) return;
    lastPassword.current = password;
    place.current?.querySelector('h1')?.focus();
  }, [password]);

  if (!unlocked)
    return (
      <div ref={place}>
        <AdminForm />
      </div>
    );
  return (
    <div ref={place} className={styles.panel}>
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
      <VoteBursts />
      <Reports />
      <Featured />
    </div>
  );
}

import type { ReactNode } from 'react';
import { roleAllows } from '#domain/operator-access.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { siteZone } from '#site/ui/format.ts';
import { adminTexts } from '#texts/admin.ts';
import { adminPages, zoneTexts } from '#texts/admin-pages.ts';
import type { AdminPageName } from '#texts/admin-pages.ts';
import { adminSignInTexts, roleTexts } from '#texts/operators.ts';
import styles from './Admin.module.css';
import { leave, useAdminUser } from './admin-session.ts';
import { AdminSignIn } from './AdminSignIn.tsx';
import { ConfirmAccess } from './ConfirmForm.tsx';
import './admin-time.ts';
import { pagePermission } from './page-permissions.ts';
import { useFragment } from './use-address.ts';

/** An admin page: the sign-in form, or navigation, heading, and the page’s content. */
export function AdminPage({ page, children }: { readonly page: AdminPageName; readonly children: ReactNode }) {
  const user = useAdminUser();
  const unlocked = useHydrated() && user !== null;
  useFragment(unlocked);

  if (!unlocked) return <AdminSignIn />;
  const isAllowed = (name: AdminPageName) => roleAllows(user.role, pagePermission(name));
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        <h1 tabIndex={-1}>{adminPages[page].title}</h1>
        <div className="row">
          {user.member && (
            <span className="muted small">
              <bdi>{user.name}</bdi>, {roleTexts[user.role].name.toLowerCase()}
            </span>
          )}
          <button type="button" className="button" onClick={leave}>
            {adminTexts.logout}
          </button>
        </div>
      </header>
      <nav className={styles.pages} aria-label={adminTexts.pages}>
        <ul>
          {Object.entries(adminPages)
            .filter(([name]) => isAllowed(name as AdminPageName))
            .map(([name, { path, link }]) => (
              <li key={name}>
                <a href={path} aria-current={name === page ? 'page' : undefined}>
                  {link}
                </a>
              </li>
            ))}
        </ul>
        <p className="muted small">
          {zoneTexts.shown(siteZone())} <a href={`${adminPages.settings.path}#time-zone`}>{zoneTexts.change}</a>
        </p>
      </nav>
      {isAllowed(page) ? children : <p className="muted">{adminSignInTexts.notForRole(pagePermission(page))}</p>}
      <ConfirmAccess />
    </div>
  );
}

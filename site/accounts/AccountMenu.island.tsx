import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { User } from '#contract/account.ts';
import { displayName } from '#domain/display-name.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { signOut } from '#site/client/session.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { showKeptToast } from '#site/ui/kept-toast.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountMenuTexts, accountToasts, memberLinks } from '#texts/accounts.ts';
import { shellTexts } from '#texts/shell.ts';
import styles from './AccountMenu.module.css';
import { ProgressBox } from './ProgressBox.tsx';

/** The account's place in the navigation: the member's menu, or the way to the sign-in page. */
export default function AccountMenu() {
  return (
    <AuthProvider>
      <AccountPlace />
    </AuthProvider>
  );
}

function AccountPlace() {
  const { status, user } = useAuth();
  const left = useRef(false);
  const link = useRef<HTMLAnchorElement>(null);

  // Signing in or out led here from another page, which left word.
  useEffect(showKeptToast, []);

  // What had the focus is gone with the menu.
  useEffect(() => {
    if (status !== 'signed-out' || !left.current) return;
    left.current = false;
    if (document.activeElement === document.body) link.current?.focus();
  }, [status]);

  const handleLogout = async () => {
    left.current = true;
    try {
      await signOut();
      siteMenu()?.hidePopover();
      toast(accountToasts.loggedOut);
    } catch {
      // In the navigation a failed sign-out says nothing: the menu is still there and shows that it failed.
      left.current = false;
    }
  };

  if (status === 'signed-in') return <MemberMenu user={user} onLogout={() => void handleLogout()} />;
  return (
    <a
      ref={link}
      className={`button button--small ${status === 'loading' ? styles.undecided : ''}`.trim()}
      href="/auth"
    >
      {shellTexts.signIn}
    </a>
  );
}

/** On small screens the account's part of it is open as long as the whole menu. */
const siteMenu = () => document.getElementById('site-menu');
const isSiteMenuOpen = () => siteMenu()?.matches(':popover-open') ?? false;

function followSiteMenu(follow: () => void): () => void {
  const menu = siteMenu();
  menu?.addEventListener('toggle', follow);
  return () => menu?.removeEventListener('toggle', follow);
}

const panelId = 'account-menu';

function MemberMenu({ user, onLogout }: { readonly user: User; readonly onLogout: () => void }) {
  const [open, setOpen] = useState(false);
  const inOpenMenu = useSyncExternalStore(followSiteMenu, isSiteMenuOpen);
  const panel = useRef<HTMLDivElement>(null);
  const name = displayName(user);

  return (
    <>
      <button
        type="button"
        className={styles.trigger}
        popoverTarget={panelId}
        aria-expanded={open}
        aria-controls={panelId}
      >
        <Avatar person={{ ...user, name }} />
        <span className="visually-hidden">{accountMenuTexts.open(name)}</span>
      </button>
      {/* A popover on wide screens: the browser opens it, closes it on Escape and outside presses, and gives the focus back. */}
      <div
        ref={panel}
        id={panelId}
        className={styles.panel}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (open && relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
        }}
      >
        <div className={styles.person}>
          <Avatar person={{ ...user, name }} />
          <p className={styles.words}>
            <b dir="auto">{name}</b>
            {user.email !== null && <span dir="auto">{user.email}</span>}
          </p>
        </div>
        <ProgressBox shown={open || inOpenMenu} />
        <nav aria-label={accountMenuTexts.links}>
          <ul>
            {memberLinks.map(({ path, text }) => (
              <li key={path}>
                <a className={styles.item} href={path} aria-current={location.pathname === path ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <button type="button" className={styles.item} onClick={onLogout}>
          {accountMenuTexts.logout}
        </button>
      </div>
    </>
  );
}

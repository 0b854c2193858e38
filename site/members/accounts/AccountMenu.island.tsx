import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { displayName } from '#domain/display-name.ts';
import { AuthProvider, signOut, useAuth, useUserSummary } from '#site/client/auth.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { formatCount } from '#site/ui/format.ts';
import { showStoredToast } from '#site/ui/stored-toast.ts';
import { toast } from '#site/ui/toasts.ts';
import { accountMenuTexts, accountToasts, memberLinks } from '#texts/accounts.ts';
import styles from './AccountMenu.module.css';

const SuspensionNotice = lazy(() =>
  import('#site/client/SuspensionNotice.tsx').then((module) => ({ default: module.SuspensionNotice })),
);

/** The account's part of the navigation: the member's menu, or the sign-in link. */
export default function AccountMenu() {
  return (
    <AuthProvider>
      <MenuOrSignInLink />
    </AuthProvider>
  );
}

function MenuOrSignInLink() {
  const { status, user } = useAuth();
  const loggingOut = useRef(false);
  const link = useRef<HTMLAnchorElement>(null);

  // Signing in or out on another page may have left a notification for this one.
  useEffect(showStoredToast, []);

  // The focused menu button was removed with the menu.
  useEffect(() => {
    if (status !== 'signed-out' || !loggingOut.current) return;
    loggingOut.current = false;
    if (document.activeElement === document.body) link.current?.focus();
  }, [status]);

  const { mutate: logOut, isPending } = useMutation(
    {
      mutationFn: signOut,
      onMutate: () => {
        loggingOut.current = true;
      },
      onSuccess: () => {
        siteMenu()?.hidePopover();
        toast(accountToasts.loggedOut);
      },
      // No notification: the menu is still there and shows that signing out failed.
      onError: () => {
        loggingOut.current = false;
      },
    },
    queryClient(),
  );

  if (status === 'signed-in')
    return (
      <>
        <MemberMenu user={user} onLogout={() => isPending || logOut()} />
        {user.suspended === true && (
          <Suspense>
            <SuspensionNotice />
          </Suspense>
        )}
      </>
    );
  return (
    <a
      ref={link}
      className={`button button--small ${status === 'loading' ? styles.undecided : ''}`.trim()}
      href="/auth"
    >
      {accountMenuTexts.signIn}
    </a>
  );
}

/** On small screens the account menu is part of the site menu. */
const siteMenu = () => document.getElementById('site-menu');
const isSiteMenuOpen = () => siteMenu()?.matches(':popover-open') ?? false;

function subscribeToSiteMenu(notify: () => void): () => void {
  const menu = siteMenu();
  menu?.addEventListener('toggle', notify);
  return () => menu?.removeEventListener('toggle', notify);
}

const panelId = 'account-menu';

const isCurrent = (path: string) => [location.pathname, location.pathname + location.search].includes(path);

function MemberMenu({ user, onLogout }: { readonly user: User; readonly onLogout: () => void }) {
  const [open, setOpen] = useState(false);
  const inOpenMenu = useSyncExternalStore(subscribeToSiteMenu, isSiteMenuOpen);
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
      {/* A popover on wide screens: the browser opens it, closes it on Escape and outside clicks, and restores the focus. */}
      <div
        ref={panel}
        id={panelId}
        className={styles.panel}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (
            currentTarget.matches(':popover-open') &&
            relatedTarget !== null &&
            !currentTarget.contains(relatedTarget)
          )
            currentTarget.hidePopover();
        }}
      >
        <div className={styles.person}>
          <Avatar person={{ ...user, name }} />
          <p className={styles.words}>
            <b dir="auto">{name}</b>
            {user.email !== null && <span dir="auto">{user.email}</span>}
          </p>
        </div>
        <Progress shown={open || inOpenMenu} />
        <nav aria-label={accountMenuTexts.links}>
          <ul>
            {memberLinks.map(({ path, text }) => (
              <li key={path}>
                <a className={styles.item} href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
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

/** The member's totals; fetched each time the menu opens. */
function Progress({ shown }: { readonly shown: boolean }) {
  const { data, isError } = useUserSummary(shown);
  const totals = [
    [accountMenuTexts.badges, data && accountMenuTexts.badgesOf(formatCount(data.badges))],
    [accountMenuTexts.polls, data && formatCount(data.polls)],
    [accountMenuTexts.activities, data && formatCount(data.activities)],
  ] as const;

  return (
    <dl className={styles.progress} aria-label={accountMenuTexts.figures} aria-busy={shown && !data && !isError}>
      {totals.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

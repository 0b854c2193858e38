import { useQuery } from '@tanstack/react-query';
import { atom } from 'nanostores';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { dropAccountHint, hasAccountHint } from './account-hint.ts';
import { callApi, callApiOrNull } from './api.ts';
import { queryClient, queryKeys } from './query-client.ts';
import { useHydrated } from './use-hydrated.ts';

/** Who is reading this page. `error`: the service couldn't say, so the reader counts as signed out. */
export type Auth =
  | { readonly status: 'loading'; readonly user: null; readonly error: null }
  | { readonly status: 'signed-out'; readonly user: null; readonly error: Error | null }
  | { readonly status: 'signed-in'; readonly user: User; readonly error: null };

const AuthContext = createContext<Auth | null>(null);

/** The signed-in user, or null; fetched once per page, however many parts need it. */
const userQuery = {
  queryKey: queryKeys.user,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<User | null> => callApiOrNull('user', { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
} as const;

const subscribeToNothing = () => () => undefined;

function useCurrentUser(): Auth {
  const hydrated = useHydrated();
  const hinted = useSyncExternalStore(subscribeToNothing, hasAccountHint, () => false);
  const { data, error } = useQuery<User | null>({ ...userQuery, enabled: hinted }, queryClient());
  useEffect(watchOtherTabs, []);

  if (!hydrated) return { status: 'loading', user: null, error: null };
  if (data) return { status: 'signed-in', user: data, error: null };
  if (data === null || !hinted) return { status: 'signed-out', user: null, error: null };
  return error ? { status: 'signed-out', user: null, error } : { status: 'loading', user: null, error: null };
}

/**
 * Provides the sign-in state to an island. The islands of a page share one request, and readers without the account
 * cookie cause none. In pre-rendered HTML the state is always `loading`.
 */
export function AuthProvider({ children }: { readonly children: ReactNode }) {
  return <AuthContext value={useCurrentUser()}>{children}</AuthContext>;
}

/** The sign-in state inside an {@link AuthProvider}. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (auth === null) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

/** The member's totals and unannounced badges; fetched when `enabled`, and again each time it is enabled. */
export function useUserSummary(enabled: boolean) {
  return useQuery(
    { queryKey: queryKeys.userSummary, queryFn: ({ signal }) => callApi('userSummary', { signal }), enabled },
    queryClient(),
  );
}

/** Whether the member chose to sign out on this page; a session may also end elsewhere. */
export const signedOutHere = atom(false);

/** Redirects home when a member signs out on a members' page; true during the redirect. `onLeave` must be stable. */
export function useLeaving(onLeave: () => void): boolean {
  const { status } = useAuth();
  const chosen = useSyncExternalStore(
    (notify) => signedOutHere.listen(notify),
    () => signedOutHere.get(),
    () => false,
  );
  const leaving = chosen && status === 'signed-out';

  useEffect(() => {
    if (!leaving) return;
    onLeave();
    location.replace('/');
  }, [leaving, onLeave]);

  return leaving;
}

type SessionEvent = 'signed-in' | 'signed-out' | 'changed';

let channel: BroadcastChannel | undefined;

/** Follows sign-ins and sign-outs in other tabs; safe to call any number of times. */
function watchOtherTabs(): void {
  if (channel !== undefined) return;
  // A page restored from the back/forward cache has missed the messages.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && queryClient().getQueryData(queryKeys.user) && !hasAccountHint()) clearMember();
  });
  channel = new BroadcastChannel('weathervane-account');
  channel.addEventListener('message', ({ data }: MessageEvent<SessionEvent>) => {
    if (data === 'signed-out') clearMember();
    else {
      const client = queryClient();
      void client.query({ ...userQuery, staleTime: 0 }).catch(() => undefined);
      if (data === 'signed-in') void client.resetQueries({ predicate: isNotUserQuery });
    }
  });
}

function broadcast(event: SessionEvent): void {
  watchOtherTabs();
  channel?.postMessage(event);
}

const isNotUserQuery = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  !(queryKey.length === 1 && queryKey[0] === queryKeys.user[0]);

/** Removes the member's data from this page; every query runs again as a guest. */
function clearMember(): void {
  dropAccountHint();
  const client = queryClient();
  client.setQueryData(queryKeys.user, null);
  // By then the members-only parts have unmounted and don't refetch.
  setTimeout(() => void client.resetQueries({ predicate: isNotUserQuery }));
}

/** Records that a member signed in or registered on this page. */
export function signedIn(user: User): void {
  const client = queryClient();
  signedOutHere.set(false);
  client.setQueryData(queryKeys.user, user);
  void client.resetQueries({ predicate: isNotUserQuery });
  broadcast('signed-in');
}

/** Records that the member's name or picture changed. */
export function userChanged(user: User): void {
  queryClient().setQueryData(queryKeys.user, user);
  broadcast('changed');
}

/** Records that the session ended: this page and the other tabs drop the member. */
export function signedOut(): void {
  clearMember();
  broadcast('signed-out');
}

/** Ends the session; throws an `ApiError` and changes nothing when the server can't be reached. */
export async function signOut(): Promise<void> {
  await callApi('logout');
  signedOutHere.set(true);
  signedOut();
}

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import { hasAccountHint } from './account-hint.ts';
import { queryClient } from './query-client.ts';
import { userQuery, watchOtherTabs } from './session.ts';
import { useHydrated } from './use-hydrated.ts';

/** Who reads this page. `error`: the service could not say, so that nobody counts as signed in. */
export type Auth =
  | { readonly status: 'loading'; readonly user: null; readonly error: null }
  | { readonly status: 'signed-out'; readonly user: null; readonly error: Error | null }
  | { readonly status: 'signed-in'; readonly user: User; readonly error: null };

const AuthContext = createContext<Auth | null>(null);

const never = () => () => undefined;
const nobody = () => false;

function useCurrentUser(): Auth {
  const hydrated = useHydrated();
  const hinted = useSyncExternalStore(never, hasAccountHint, nobody);
  const { data, error } = useQuery<User | null>({ ...userQuery, enabled: hinted }, queryClient());
  useEffect(watchOtherTabs, []);

  if (!hydrated) return { status: 'loading', user: null, error: null };
  if (data) return { status: 'signed-in', user: data, error: null };
  if (data === null || !hinted) return { status: 'signed-out', user: null, error: null };
  return error ? { status: 'signed-out', user: null, error } : { status: 'loading', user: null, error: null };
}

/**
 * Tells the parts of an island who is signed in. Islands of one page share the answer; a page whose reader shows no
 * sign of an account asks nobody. What a page is published with is always `loading`.
 */
export function AuthProvider({ children }: { readonly children: ReactNode }) {
  return <AuthContext value={useCurrentUser()}>{children}</AuthContext>;
}

/** Who is signed in, within an {@link AuthProvider}. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (auth === null) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

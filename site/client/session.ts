import { atom } from 'nanostores';
import type { User } from '#contract/account.ts';
import { dropAccountHint, hasAccountHint } from './account-hint.ts';
import { callApi, callApiOrNull } from './api.ts';
import { queryClient, queryKeys } from './query-client.ts';

/** Who is signed in: null for nobody. Asked once for a page, whichever part of it needs to know. */
export const userQuery = {
  queryKey: queryKeys.user,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<User | null> => callApiOrNull('user', { signal }),
  staleTime: Infinity,
  gcTime: Infinity,
} as const;

/** The member chose to sign out on this page; a session may also end elsewhere. */
export const signedOutHere = atom(false);

type News = 'signed-in' | 'signed-out' | 'changed';

let channel: BroadcastChannel | undefined;

/** Hears of sign-in and sign-out in other tabs; called any number of times, listens once. */
export function watchOtherTabs(): void {
  if (channel !== undefined) return;
  // A page that comes back out of the browser's memory has slept through the news.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && queryClient().getQueryData(queryKeys.user) && !hasAccountHint()) forget();
  });
  channel = new BroadcastChannel('weathervane-account');
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data === 'signed-out') forget();
    else {
      const client = queryClient();
      void client.query({ ...userQuery, staleTime: 0 }).catch(() => undefined);
      if (data === 'signed-in') void client.resetQueries({ predicate: othersThanUser });
    }
  });
}

function tellOtherTabs(news: News): void {
  watchOtherTabs();
  channel?.postMessage(news);
}

const othersThanUser = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  !(queryKey.length === 1 && queryKey[0] === queryKeys.user[0]);

/** Nothing that only the member may see stays on the page: every part asks again, as a stranger. */
function forget(): void {
  dropAccountHint();
  const client = queryClient();
  client.setQueryData(queryKeys.user, null);
  // What only a member sees has left the page by then, and asks no more.
  setTimeout(() => void client.resetQueries({ predicate: othersThanUser }));
}

/** Somebody signed in or made an account on this page. */
export function signedIn(user: User): void {
  const client = queryClient();
  signedOutHere.set(false);
  client.setQueryData(queryKeys.user, user);
  void client.resetQueries({ predicate: othersThanUser });
  tellOtherTabs('signed-in');
}

/** The member's name or picture has changed. */
export function userChanged(user: User): void {
  queryClient().setQueryData(queryKeys.user, user);
  tellOtherTabs('changed');
}

/** The session is over: this page and the other tabs forget the member. */
export function signedOut(): void {
  forget();
  tellOtherTabs('signed-out');
}

/** Ends the session; throws an `ApiError` when the server cannot be told, and then everything stays as it is. */
export async function signOut(): Promise<void> {
  await callApi('logout');
  signedOutHere.set(true);
  signedOut();
}

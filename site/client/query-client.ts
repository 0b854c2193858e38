import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import type { ErrorCode } from '#contract/error-codes.ts';
import { dropAccountHint } from './account-hint.ts';
import { ApiError } from './api.ts';
import { keepFocus } from './keep-focus.ts';
import { keepTranslated } from './keep-translated.ts';

/** Query keys shared by the islands of a page. */
export const queryKeys = {
  activePolls: ['activePolls'],
  poll: (id: string) => ['poll', id],
  user: ['user'],
  userSummary: ['user', 'summary'],
  accountSecurity: ['user', 'security'],
  profile: ['user', 'profile'],
  activityDays: ['user', 'activityDays'],
  activities: (type: string | null, q: string) => ['user', 'activities', type, q],
  badges: ['user', 'badges'],
  notifications: ['user', 'notifications'],
  decisions: ['user', 'decisions'],
  ownPolls: (page: number) => ['user', 'polls', page],
  invites: (pollId: string) => ['invites', pollId],
  inviteLink: (pollId: string) => ['inviteLink', pollId],
  blocks: (pollId: string) => ['blocks', pollId],
  comments: (pollId: string) => ['comments', pollId],
} as const;

const sessionRequiredCodes: readonly (ErrorCode | undefined)[] = ['UNAUTHENTICATED', 'PRIVATE_POLL_AUTH_REQUIRED'];

/** Signs the member out on this page when a call reveals that the session has ended, perhaps in another tab. */
function handleSessionEnd(error: Error): void {
  // Suspended since the page was opened: it says why.
  if (error instanceof ApiError && error.code === 'ACCOUNT_SUSPENDED')
    void sharedClient?.invalidateQueries({ queryKey: queryKeys.user, exact: true });
  if (
    !(error instanceof ApiError) ||
    !sessionRequiredCodes.includes(error.code) ||
    !sharedClient?.getQueryData(queryKeys.user)
  )
    return;
  dropAccountHint();
  sharedClient.setQueryData(queryKeys.user, null);
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: handleSessionEnd }),
    mutationCache: new MutationCache({ onError: handleSessionEnd }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 0,
        gcTime: 0,
        networkMode: 'always',
      },
      mutations: { retry: false, gcTime: 0, networkMode: 'always' },
    },
  });
}

let sharedClient: QueryClient | undefined;

/**
 * The page's query client, passed as the second argument of `useQuery` so that all islands share it without a
 * provider. Server rendering gets a new one each time, so visitors never share data.
 */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return makeClient();
  if (sharedClient === undefined) {
    sharedClient = makeClient();
    // As a provider would do: subscribes to window focus and connectivity.
    sharedClient.mount();
    keepFocus(document);
    keepTranslated(document);
  }
  return sharedClient;
}

/**
 * Updates cached data after a change. Requests in flight are canceled, because their responses would undo the update;
 * with `repeat` they are sent again, for data that the update doesn’t replace completely.
 */
export async function updateCached<T>(queryKey: QueryKey, update: (data: T) => T, repeat = false): Promise<void> {
  const client = queryClient();
  const interrupted = client.isFetching({ queryKey }) > 0;
  await client.cancelQueries({ queryKey });
  client.setQueriesData<T>({ queryKey }, (data) => (data === undefined ? undefined : update(data)));
  if (repeat && interrupted) void client.refetchQueries({ queryKey });
}

/** Refetches every failed query on this page. */
export async function retryFailed(): Promise<void> {
  await queryClient().refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

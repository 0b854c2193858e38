import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { ErrorCode } from '#contract/error-codes.ts';
import { dropAccountHint } from './account-hint.ts';
import { ApiError } from './api.ts';

/** Keys under which answers are shared between the islands of a page. */
export const queryKeys = {
  activePolls: ['activePolls'],
  statistics: ['statistics'],
  poll: (id: string) => ['poll', id],
  user: ['user'],
  userSummary: ['user', 'summary'],
  profile: ['user', 'profile'],
  activityDays: ['user', 'activityDays'],
  activities: (type: string | null, q: string) => ['user', 'activities', type, q],
  badges: ['user', 'badges'],
  ownPolls: (page: number) => ['user', 'polls', page],
  communityPoll: (id: string) => ['communityPoll', id],
  invites: (pollId: string) => ['invites', pollId],
  comments: (pollId: string) => ['comments', pollId],
} as const;

const needSession: readonly (ErrorCode | undefined)[] = ['UNAUTHENTICATED', 'PRIVATE_POLL_AUTH_REQUIRED'];

/** The session has ended meanwhile, in another tab perhaps: whoever shows the member learns it. */
export function noticeSessionEnd(error: Error): void {
  if (!(error instanceof ApiError) || !needSession.includes(error.code) || !shared?.getQueryData(queryKeys.user))
    return;
  dropAccountHint();
  shared.setQueryData(queryKeys.user, null);
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noticeSessionEnd }),
    mutationCache: new MutationCache({ onError: noticeSessionEnd }),
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

let shared: QueryClient | undefined;

/**
 * The page's query client, for the second argument of `useQuery`: all islands of a page share it without a
 * provider. Rendering on the server gets a fresh one each time, so that visitors never share answers.
 */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return makeClient();
  if (shared === undefined) {
    shared = makeClient();
    // What a provider would do: from now on it hears when somebody comes back to the page.
    shared.mount();
  }
  return shared;
}

/** Asks again for everything on this page that could not be fetched, whichever part's button was pressed. */
export async function retryFailed(): Promise<void> {
  await queryClient().refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

import { QueryClient } from '@tanstack/react-query';

/** Keys under which answers are shared between the islands of a page. */
export const queryKeys = {
  activePolls: ['activePolls'],
  statistics: ['statistics'],
  poll: (id: string) => ['poll', id],
  communityPoll: (id: string) => ['communityPoll', id],
  invites: (pollId: string) => ['invites', pollId],
  comments: (pollId: string) => ['comments', pollId],
} as const;

function makeClient(): QueryClient {
  return new QueryClient({
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
  return typeof window === 'undefined' ? makeClient() : (shared ??= makeClient());
}

/** Asks again for everything on this page that could not be fetched, whichever part's button was pressed. */
export async function retryFailed(): Promise<void> {
  await queryClient().refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

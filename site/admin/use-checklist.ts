import { useQuery } from '@tanstack/react-query';
import { queryClient } from '#site/client/query-client.ts';
import { adminKey, callAdmin } from './admin-session.ts';

/** Milliseconds between refetches while a backup test runs. */
const backupRefetchMs = 1_000;

const checklistKey = [...adminKey, 'checklist'] as const;

/** What a new site needs, which the server knows, and how far a backup test is. */
export const useChecklist = () =>
  useQuery(
    {
      queryKey: checklistKey,
      queryFn: ({ signal }) =>
        callAdmin('checklist', { query: { origin: location.origin, clock: new Date().toISOString() }, signal }),
      refetchInterval: ({ state }) => (state.data?.backupTest?.state === 'running' ? backupRefetchMs : false),
    },
    queryClient(),
  );

export const refreshChecklist = () => queryClient().invalidateQueries({ queryKey: checklistKey });

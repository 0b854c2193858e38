import { useQuery } from '@tanstack/react-query';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';

/** Operators, open invitations, and whether the shared password works; for owners. */
export function useOperators() {
  return useQuery(
    { queryKey: [...adminKey, 'operators'], queryFn: ({ signal }) => callAdmin('operators', { signal }) },
    queryClient(),
  );
}

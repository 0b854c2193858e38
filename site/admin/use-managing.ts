import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportHistory } from '#contract/poll-import.ts';
import * as limits from '#contract/limits.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import { queryClient } from '#site/client/query-client.ts';
import { callAdmin } from './admin-session.ts';

/** Everything that the operator's page has asked for. */
const adminKey = ['admin'] as const;

/** Asks again for everything on the page: what was done touches several of its lists. */
export function lookAgain(): Promise<void> {
  return queryClient().invalidateQueries({ queryKey: adminKey });
}

const isBusy = ({ imports }: ImportHistory) => imports.some(({ state }) => state === 'running' || state === 'undoing');

/** A page of imports; looked at every second while one runs or is taken back. */
export function useImports() {
  const [page, setPage] = useState(1);
  const query = useQuery(
    {
      queryKey: [...adminKey, 'imports', page],
      queryFn: ({ signal }) => callAdmin('imports', { query: { page }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? limits.buildLookMs : false),
    },
    queryClient(),
  );
  return { query, setPage };
}

/** What the list of polls shows. */
export interface PollsView {
  readonly page: number;
  readonly state: ManagedState | null;
  readonly search: string;
}

/** A page of polls. */
export function usePolls() {
  const [view, setView] = useState<PollsView>({ page: 1, state: null, search: '' });
  const { page, state, search } = view;
  const query = useQuery(
    {
      queryKey: [...adminKey, 'polls', view],
      queryFn: ({ signal }) =>
        callAdmin('managedPolls', {
          query: { page, ...(state !== null && { state }), ...(search !== '' && { search }) },
          signal,
        }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  return { query, view, setView };
}

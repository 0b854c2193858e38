import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HistoricalPage } from '#contract/poll.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { archiveCallQuery, type ArchiveView } from './archive-query.ts';

/** One page of the archive. `known` is what the HTML already shows of this view; the last list stays while another loads. */
export function useHistoricalPolls(view: ArchiveView | null, known: HistoricalPage | null) {
  return useQuery(
    {
      queryKey: ['historicalPolls', view],
      queryFn: ({ signal }) => callApi('historicalPolls', { query: archiveCallQuery(view!), signal }),
      enabled: view !== null,
      placeholderData: keepPreviousData,
      ...(known !== null && { initialData: known, refetchOnMount: false }),
    },
    queryClient(),
  );
}

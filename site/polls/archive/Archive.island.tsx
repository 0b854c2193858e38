import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HistoricalPage } from '#api/polls/polls.contract.ts';
import { allCategories, historicalSorts } from '#contract/vocabulary.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ListFilter } from '#site/polls/list/ListFilter.tsx';
import { Pagination, pageCount } from '#site/client/Pagination.tsx';
import { failureNotice, PollList } from '#site/polls/list/PollList.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { formatCount } from '#site/ui/format.ts';
import { archiveTexts as texts } from '#texts/archive.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { ArchiveCard } from './ArchiveCard.tsx';
import type { ArchiveView } from './archive-query.ts';
import { archiveAddress, archiveCallQuery, firstView, readArchiveQuery } from './archive-query.ts';

interface ArchiveProps {
  /** The query string the HTML was rendered for, including the question mark, or empty. */
  readonly search: string;
  /** The page of the archive for that query. */
  readonly initial: HistoricalPage;
}

/** The archive: filters, list, and pages, which follow the address. */
export function Archive({ search, initial }: ArchiveProps) {
  const shownSearch = useSearch(search);
  const view = readArchiveQuery(shownSearch);
  const { data, error, isFetching, isPlaceholderData } = useHistoricalPolls(
    view,
    shownSearch === search ? initial : null,
  );
  if (view === null) return <Notice {...texts.invalid} level={2} href="/historical" />;

  const pages = pageCount(data?.total ?? 0);
  const categories = data?.categories ?? initial.categories;
  return (
    <PollList
      title={texts.listHeading(view.page)}
      search={shownSearch}
      controls={
        <ListFilter
          action="/historical"
          fields={[
            {
              ...{ name: 'category', label: texts.category, value: view.category, unknown: texts.unknownCategory },
              options: categories.map((one) => [one, one === allCategories ? texts.allCategories : categoryLabel(one)]),
            },
            {
              ...{ name: 'sort', label: texts.sort, value: view.sort },
              options: historicalSorts.map((sort) => [sort, texts.sorts[sort]]),
            },
          ]}
          onChange={(chosen) => goTo(archiveAddress(readArchiveQuery(chosen) ?? firstView))}
        />
      }
      cards={data?.polls.map((poll) => (
        <ArchiveCard key={poll.id} poll={poll} />
      ))}
      waiting={isFetching && (isPlaceholderData || data === undefined)}
      failure={failureNotice({ error, isFetching }, texts.failed, data !== undefined)}
      empty={view.page > pages ? <PastTheEnd view={view} pages={pages} /> : <Empty view={view} />}
      pages={
        data &&
        data.polls.length > 0 && (
          <Pagination
            page={view.page}
            pages={pages}
            hrefOf={(page) => archiveAddress({ ...view, page })}
            onPage={(page) => {
              goTo(archiveAddress({ ...view, page }));
              scrollToTop();
            }}
          >
            <p className="muted small figure">
              {texts.position(view.page, pages, formatCount(data.total), data.total)}
            </p>
          </Pagination>
        )
      }
    />
  );
}

function PastTheEnd({ view, pages }: { readonly view: ArchiveView; readonly pages: number }) {
  const { title, text, action } = texts.pastTheEnd;
  return (
    <Notice
      title={title(view.page)}
      text={text(pages)}
      action={action}
      href={archiveAddress({ ...view, page: pages })}
    />
  );
}

function Empty({ view }: { readonly view: ArchiveView }) {
  return (
    <Notice
      {...texts.empty}
      {...(view.category !== allCategories && {
        action: texts.showAll,
        href: archiveAddress({ ...firstView, sort: view.sort }),
      })}
    />
  );
}

/** One page of the archive. `initial`: what the HTML shows. The previous list stays visible while the next one loads. */
function useHistoricalPolls(view: ArchiveView | null, initial: HistoricalPage | null) {
  return useQuery(
    {
      queryKey: ['historicalPolls', view],
      queryFn: ({ signal }) => callApi('historicalPolls', { query: archiveCallQuery(view!), signal }),
      enabled: view !== null,
      placeholderData: keepPreviousData,
      ...(initial !== null && { initialData: initial, refetchOnMount: false }),
    },
    queryClient(),
  );
}

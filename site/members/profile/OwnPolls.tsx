import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { goTo } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { Failed, Stale } from '#site/client/MemberPageParts.tsx';
import { ListedPoll } from '#site/polls/list/ListedPoll.tsx';
import { Pagination, pageCount } from '#site/client/Pagination.tsx';
import { PollList } from '#site/polls/list/PollList.tsx';
import { formatCount } from '#site/ui/format.ts';
import { nowStepMs, useNow } from '#site/ui/RelativeTime.tsx';
import { activitiesTexts } from '#texts/profile.ts';
import styles from './Activities.module.css';
import { activitiesAddress } from './activities-view.ts';
import type { ActivitiesView } from './activities-view.ts';

const texts = activitiesTexts.polls;

interface OwnPollsProps {
  readonly view: ActivitiesView;
  /** Number of polls; undefined while loading. */
  readonly total: number | undefined;
}

/** The polls that the member created, one page at a time. */
export function OwnPolls({ view, total }: OwnPollsProps) {
  const now = (useNow() ?? 0) + nowStepMs;
  const pages = total === undefined ? view.polls : pageCount(total, limits.communityPageSize);
  const page = Math.min(view.polls, pages);
  const { data: polls, isError, isFetching, isPlaceholderData } = useOwnPolls(page);
  const addressOf = (polls: number) => activitiesAddress({ ...view, polls });
  return (
    <PollList
      title={texts.heading}
      search={String(page)}
      controls={total !== undefined && <p className="section-head__note">{texts.count(formatCount(total), total)}</p>}
      cards={polls?.map((poll) => (
        <ListedPoll key={poll.id} poll={poll} now={now} />
      ))}
      waiting={isFetching && (isPlaceholderData || polls === undefined)}
      failure={
        isError &&
        (polls === undefined ? (
          <Failed title={texts.failedTitle} pending={isFetching} level={3} />
        ) : (
          <Stale pending={isFetching} />
        ))
      }
      empty={
        <div className={styles.empty}>
          <p>{texts.empty}</p>
          <a className="button" href="/community-polls/new">
            {texts.create}
          </a>
        </div>
      }
      pages={
        total !== undefined && (
          <Pagination page={page} pages={pages} hrefOf={addressOf} onPage={(to) => goTo(addressOf(to))}>
            {pages > 1 && <p className="muted small figure">{texts.page(formatCount(page), formatCount(pages))}</p>}
          </Pagination>
        )
      }
    />
  );
}

/** A page of the member's polls of any visibility, newest first. */
function useOwnPolls(page: number) {
  return useQuery(
    {
      queryKey: queryKeys.ownPolls(page),
      queryFn: ({ signal }) =>
        callApi('communityPolls', {
          query: {
            visibility: 'mine',
            limit: limits.communityPageSize,
            offset: (page - 1) * limits.communityPageSize,
          },
          signal,
        }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

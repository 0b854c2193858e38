import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import * as limits from '#contract/limits.ts';
import { goTo } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { PageLink } from '#site/client/PageLink.tsx';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { Failed, Stale } from '#site/client/MemberPageParts.tsx';
import { formatCount } from '#site/ui/format.ts';
import { activitiesTexts } from '#texts/profile.ts';
import styles from './Activities.module.css';
import { activitiesAddress } from './activities-view.ts';
import type { ActivitiesView } from './activities-view.ts';
import { EntryPlaceholders, OwnPoll } from './Entries.tsx';

const texts = activitiesTexts.polls;

interface OwnPollsProps {
  readonly view: ActivitiesView;
  /** Number of polls; undefined while loading. */
  readonly total: number | undefined;
}

/** The polls that the member created, one page at a time. */
export function OwnPolls({ view, total }: OwnPollsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const pages = total === undefined ? view.polls : Math.max(1, Math.ceil(total / limits.communityPageSize));
  const page = Math.min(view.polls, pages);
  const { data: polls, isError, isFetching, isPlaceholderData } = useOwnPolls(page);

  const linkTo = (to: number) => {
    const address = activitiesAddress({ ...view, polls: to });
    return {
      href: to >= 1 && to <= pages ? address : undefined,
      onPress() {
        goTo(address);
        heading.current?.focus();
      },
    };
  };

  return (
    <section className={styles.polls} aria-labelledby="polls">
      <div className="section-head">
        <h2 id="polls" ref={heading} tabIndex={-1}>
          {texts.heading}
        </h2>
        {total !== undefined && <p className="section-head__note">{texts.count(formatCount(total), total)}</p>}
      </div>
      {polls === undefined ? (
        isError ? (
          <Failed title={texts.failedTitle} pending={isFetching} level={3} />
        ) : (
          <EntryPlaceholders count={3} />
        )
      ) : polls.length === 0 ? (
        <div className={styles.empty}>
          <p>{texts.empty}</p>
          <a className="button" href="/community-polls/new">
            {texts.create}
          </a>
        </div>
      ) : (
        <>
          <ul className={isPlaceholderData ? styles.faded : undefined} aria-busy={isPlaceholderData}>
            {polls.map((poll) => (
              <OwnPoll key={poll.id} poll={poll} full />
            ))}
          </ul>
          {isError && <Stale pending={isFetching} />}
        </>
      )}
      {pages > 1 && total !== undefined && (
        <nav className={styles.pages} aria-label={texts.pagination}>
          <PageLink text={texts.previous} rel="prev" {...linkTo(page - 1)} />
          <p className="figure">{texts.page(formatCount(page), formatCount(pages))}</p>
          <PageLink text={texts.next} rel="next" {...linkTo(page + 1)} />
        </nav>
      )}
    </section>
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

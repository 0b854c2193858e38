import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import * as limits from '#contract/limits.ts';
import { goTo } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { Failed, Stale } from '#site/client/MemberPageParts.tsx';
import { formatCount, formatLongDay } from '#site/ui/format.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { activitiesTexts as texts } from '#texts/profile.ts';
import styles from './Activities.module.css';
import { activitiesAddress, daysOf, hasTime } from './activities-view.ts';
import type { ActivitiesView, TimelineDay } from './activities-view.ts';
import { ActivityEntry, EntryPlaceholders } from './Entries.tsx';

/** Number of entries above which days out of view are not rendered. */
const longTimeline = 100;

interface TimelineProps {
  readonly view: ActivitiesView;
  readonly activities: ReturnType<typeof useActivities>;
}

/** The timeline by day, newest first, one page at a time. */
export function Timeline({ view, activities }: TimelineProps) {
  const { data, isError, isFetching, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = activities;
  const status = useRef<HTMLParagraphElement>(null);
  if (data === undefined)
    return isError ? (
      <Failed title={texts.failedTitle} pending={isFetching} level={3} />
    ) : (
      <EntryPlaceholders count={8} />
    );

  const days = daysOf(data.pages.flatMap((page) => page.activities));
  const { matching, total, searched } = data.pages.at(-1)!;
  const shown = days.reduce((sum, day) => sum + day.activities.length, 0);
  const handleMore = async () => {
    const { hasNextPage: more } = await fetchNextPage();
    // The focused button disappears with the last page.
    if (!more) status.current?.focus();
  };

  return (
    <>
      <p ref={status} className={styles.status} role="status" tabIndex={-1}>
        {texts.showing(formatCount(shown), formatCount(matching))}
        {matching < total && ` ${texts.inAll(formatCount(total))}`}
        {searched !== null && searched < total && ` ${texts.searchedNewest(formatCount(searched))}`}
        {isPlaceholderData && <Vane busy label={texts.searching} />}
      </p>
      {shown === 0 ? (
        <NoActivities view={view} total={total} />
      ) : (
        <div
          className={`${styles.days} ${shown > longTimeline ? styles.long : ''} ${isPlaceholderData ? styles.faded : ''}`}
          aria-busy={isPlaceholderData}
        >
          {days.map((day) => (
            <Day key={day.day} {...day} />
          ))}
        </div>
      )}
      {isError && <Stale pending={isFetching} />}
      {hasNextPage && !isPlaceholderData && (
        <button
          type="button"
          className={`button ${styles.more}`}
          aria-disabled={isFetchingNextPage}
          onClick={() => {
            if (!isFetchingNextPage) void handleMore();
          }}
        >
          {isFetchingNextPage ? texts.moreLoading : texts.more}
        </button>
      )}
    </>
  );
}

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en-US', {
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
});

function Day({ day, activities }: TimelineDay) {
  return (
    <section className={styles.day} aria-labelledby={`day-${day}`}>
      <h3 id={`day-${day}`} className={styles.date}>
        {formatLongDay(day)} <span>{weekdays.format(new Date(day))}</span>
      </h3>
      <ul className={styles.entries}>
        {activities.map((activity) => (
          <ActivityEntry
            full
            key={activity.id}
            activity={activity}
            time={
              hasTime(activity) && (
                <time dateTime={activity.createdAt}>{times.format(new Date(activity.createdAt))}</time>
              )
            }
          />
        ))}
      </ul>
    </section>
  );
}

/** Says that there is no activity, or none that matches. */
function NoActivities({ view, total }: { readonly view: ActivitiesView; readonly total: number }) {
  if (total === 0) return <Notice {...texts.empty} href="/" />;
  const unfiltered = activitiesAddress({ ...view, type: null, q: '' });
  const { title, text, textOfSearch, textOfSearchInType, action } = texts.none;
  return (
    <Notice
      title={title}
      text={view.q === '' ? text : view.type === null ? textOfSearch : textOfSearchInType}
      action={action}
      href={unfiltered}
      onAction={() => goTo(unfiltered)}
    />
  );
}

/** Pages of the member's timeline; the previous result stays until the new one arrives. */
export function useActivities({ type, q }: Pick<ActivitiesView, 'type' | 'q'>) {
  return useInfiniteQuery(
    {
      queryKey: queryKeys.activities(type, q),
      queryFn: ({ pageParam, signal }) =>
        callApi('activities', {
          query: {
            limit: limits.activityPageSize,
            ...(type !== null && { type }),
            ...(q !== '' && { q }),
            ...(pageParam !== null && { before: pageParam }),
          },
          signal,
        }),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

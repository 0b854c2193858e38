import { useEffect, useRef } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { nowStepMs, useNow } from '#site/ui/RelativeTime.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { communityTexts as texts } from '#texts/community.ts';
import type { CommunityCategory } from '#contract/vocabulary.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { CommunityListActions } from './CommunityListActions.tsx';
import { CommunityListBody, CommunityListGrid } from './CommunityListBody.tsx';
import { CommunityListFilter, CommunityListPages, CommunityListSwitch } from './CommunityListControls.tsx';
import styles from './CommunityList.module.css';
import type { CommunityView, ListedCard as Card } from './community-list-view.ts';
import { communityAddress, readCommunityView, communityCallQuery, communityCountQuery } from './community-list-view.ts';

interface CommunityListProps {
  /** The query string the HTML was rendered for, including the question mark, or empty. */
  readonly search: string;
  /** The polls of that query; null where only the reader’s browser can request them. */
  readonly initialPolls: readonly Card[] | null;
  /** How many polls that query finds; null if unknown. */
  readonly initialTotal: number | null;
  readonly featured: readonly Card[];
  /** When the page was rendered. */
  readonly publishedAt: string;
}

/** Community polls: link to the form, featured polls, and the list, which follows the address. */
export default function CommunityList(props: CommunityListProps) {
  return (
    <AuthProvider>
      <List {...props} />
    </AuthProvider>
  );
}

function List({ search, initialPolls, initialTotal, featured: initialFeatured, publishedAt }: CommunityListProps) {
  const auth = useAuth();
  const shownSearch = useSearch(search);
  const view = readCommunityView(shownSearch);
  const mayRead = view?.scope === 'public' || auth.status === 'signed-in';
  const page = useCommunityPage(view, mayRead, shownSearch === search);
  const { data: count } = useCommunityCount(view, mayRead);
  const featured = useFeaturedPolls(initialFeatured);
  const categories = useCategories();
  const tick = useNow();
  const now = tick === null ? Date.parse(publishedAt) : tick + nowStepMs;

  const heading = useRef<HTMLHeadingElement>(null);
  const lastSearch = useRef(shownSearch);
  useEffect(() => {
    if (lastSearch.current === shownSearch) return;
    lastSearch.current = shownSearch;
    // A select being operated keeps the focus.
    if (!(document.activeElement instanceof HTMLSelectElement)) heading.current?.focus({ preventScroll: true });
  }, [shownSearch]);

  if (view === null) return <Notice {...texts.invalid} level={2} href={communityPath} />;

  const locked = view.scope !== 'public' && auth.status !== 'signed-in';
  const title = view.scope === 'public' ? texts.headings[view.sort] : texts.ownHeadings[view.scope];
  const total = count?.total ?? (shownSearch === search ? initialTotal : null);
  const polls = locked ? undefined : (page.data ?? (shownSearch === search ? (initialPolls ?? undefined) : undefined));
  const waiting = page.isFetching && (page.isPlaceholderData || polls === undefined);

  const show = (next: CommunityView) => goTo(communityAddress(next));
  const showPage = (number: number) => {
    show({ ...view, page: number });
    scrollToTop();
  };

  return (
    <div className={styles.list}>
      <CommunityListActions auth={auth} />
      {communityAddress(view) === communityPath && featured.length > 0 && (
        <section className={styles.featured} aria-labelledby="featured-polls">
          <div className="section-head">
            <h2 id="featured-polls" className="section-head__title">
              {texts.featured}
            </h2>
          </div>
          <CommunityListGrid polls={featured} now={now} lead />
        </section>
      )}
      <section className={styles.section} aria-busy={waiting} aria-labelledby="community-polls">
        <div className="section-head">
          <h2 id="community-polls" className="section-head__title" ref={heading} tabIndex={-1}>
            {texts.onPage(title, view.page)}
            {waiting && <Vane busy label={texts.loading} />}
          </h2>
          <div className={styles.controls}>
            {(auth.status === 'signed-in' || view.scope !== 'public') && (
              <CommunityListSwitch view={view} onView={show} />
            )}
            <CommunityListFilter view={view} categories={categories} onView={show} />
          </div>
        </div>
        <CommunityListBody view={view} auth={auth} page={page} polls={polls} waiting={waiting} now={now} />
        {(polls !== undefined || page.isError) && (
          <CommunityListPages
            view={view}
            total={total}
            full={polls?.length === limits.communityPageSize}
            onPage={showPage}
          />
        )}
        <p className="visually-hidden" role="status">
          {!waiting && polls !== undefined && texts.listed(polls.length)}
        </p>
      </section>
    </div>
  );
}

const keys = {
  page: (view: CommunityView | null) => ['communityPolls', 'page', view],
  count: (query: object | null) => ['communityPolls', 'count', query],
  featured: ['communityPolls', 'featured'],
  categories: ['communityCategories'],
} as const;

/** One page of community polls; the previous list stays visible while the next one loads. */
function useCommunityPage(view: CommunityView | null, enabled: boolean, isFirst: boolean) {
  const read = (signal: AbortSignal): Promise<readonly Card[]> =>
    callApi('communityPolls', { query: communityCallQuery(view!), signal });
  const early = useEarlyRead(isFirst ? 'communityPolls' : null, read, undefined);
  return useQuery<readonly Card[]>(
    {
      queryKey: keys.page(view),
      ...early,
      enabled: view !== null && enabled,
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
}

/** How many polls all pages of a view have; the last number stays visible while another one is counted. */
function useCommunityCount(view: CommunityView | null, enabled: boolean) {
  const query = view && communityCountQuery(view);
  return useQuery<{ readonly total: number }>(
    {
      queryKey: keys.count(query),
      queryFn: ({ signal }) => callApi('communityPollCount', { query: query!, signal }),
      enabled: view !== null && enabled,
    },
    queryClient(),
  );
}

/** The polls featured by the operator. */
function useFeaturedPolls(initial: readonly Card[]): readonly Card[] {
  const read = (signal: AbortSignal): Promise<readonly Card[]> => callApi('featuredCommunityPolls', { signal });
  const early = useEarlyRead('featuredCommunityPolls', read, undefined);
  const { data } = useQuery<readonly Card[]>({ queryKey: keys.featured, ...early }, queryClient());
  return data ?? initial;
}

/** The server’s categories; until they arrive, those of this build. */
function useCategories(): readonly CommunityCategory[] {
  const { data } = useQuery(
    { queryKey: keys.categories, queryFn: ({ signal }) => callApi('communityCategories', { signal }) },
    queryClient(),
  );
  return data ?? communityCategories;
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import type { CommunityCategory } from '#contract/vocabulary.ts';
import { communityCategories, communitySorts, communityStates } from '#contract/vocabulary.ts';
import { signInAddress } from '#domain/next-path.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import type { Auth } from '#site/client/auth.tsx';
import { isPlainPress } from '#site/client/plain-press.ts';
import { queryClient } from '#site/client/query-client.ts';
import { useEarlyRead } from '#site/client/use-early-read.ts';
import { ListFilter } from '#site/polls/list/ListFilter.tsx';
import { Pagination, pageCount } from '#site/client/Pagination.tsx';
import { failureNotice, PollGrid, PollList } from '#site/polls/list/PollList.tsx';
import styles from '#site/polls/list/PollList.module.css';
import { communityPath } from '#site/polls/voting/ballot.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { nowStepMs, useNow } from '#site/ui/RelativeTime.tsx';
import { pollListTexts } from '#texts/poll-list.ts';
import { communityTexts as texts } from '#texts/community.ts';
import type { ListedCard as Card } from '#site/polls/list/listed-card.ts';
import type { CommunityView } from './community-list-view.ts';
import {
  communityAddress,
  communityCallQuery,
  communityCountQuery,
  communityScopes,
  firstCommunityView,
  isPersonal,
  readCommunityView,
} from './community-list-view.ts';
import { ListedPoll } from '#site/polls/list/ListedPoll.tsx';

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

/** The address of the form for a new poll. */
const newPollPath = `${communityPath}/new`;

const show = (view: CommunityView) => goTo(communityAddress(view));

const cardsOf = (polls: readonly Card[], now: number) =>
  polls.map((poll) => <ListedPoll key={poll.id} poll={poll} now={now} />);

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

  if (view === null) return <Notice {...texts.invalid} level={2} href={communityPath} />;

  const title = view.scope === 'public' ? texts.headings[view.sort] : texts.ownHeadings[view.scope];
  const total = count?.total ?? (shownSearch === search ? initialTotal : null);
  const rendered = shownSearch === search ? (initialPolls ?? undefined) : undefined;
  const polls = mayRead ? (page.data ?? rendered) : undefined;
  // A full page may have another one after it.
  const isFull = polls?.length === limits.communityPageSize;
  const last = total === null ? view.page + (isFull ? 1 : 0) : pageCount(total, limits.communityPageSize);

  return (
    <div className={styles.lists}>
      <Actions auth={auth} />
      {communityAddress(view) === communityPath && featured.length > 0 && (
        <section className={styles.list} aria-labelledby="featured-polls">
          <div className="section-head">
            <h2 id="featured-polls" className="section-head__title">
              {texts.featured}
            </h2>
          </div>
          <PollGrid cards={cardsOf(featured, now)} lead />
        </section>
      )}
      <PollList
        title={texts.onPage(title, view.page)}
        search={shownSearch}
        controls={
          <>
            {(auth.status === 'signed-in' || view.scope !== 'public') && <ScopeSwitch shown={view.scope} />}
            <ListFilter
              action={communityPath}
              hidden={view.scope === 'public' ? {} : { show: view.scope }}
              fields={[
                {
                  ...{ name: 'sort', label: texts.sort, value: view.sort },
                  options: communitySorts.map((sort) => [sort, texts.sorts[sort]]),
                },
                {
                  ...{ name: 'state', label: texts.state, value: view.state ?? '' },
                  options: [['', texts.allStates], ...communityStates.map((one) => [one, texts.states[one]] as const)],
                },
                {
                  ...{ name: 'category', label: texts.category, value: view.category ?? '' },
                  options: [['', texts.allCategories], ...categories.map((one) => [one, one] as const)],
                },
              ]}
              onChange={(chosen) => show(readCommunityView(chosen) ?? firstCommunityView)}
            />
          </>
        }
        cards={polls && cardsOf(polls, now)}
        waiting={page.isFetching && (page.isPlaceholderData || polls === undefined)}
        failure={
          view.scope !== 'public' && auth.status === 'signed-out' ? (
            <Notice {...texts.mineSignedOut} href={signInAddress(communityAddress(view))} />
          ) : (
            failureNotice(page, texts.failed, polls !== undefined)
          )
        }
        empty={<Empty view={view} signedIn={auth.status === 'signed-in'} />}
        pages={
          mayRead && (
            <Pagination
              page={view.page}
              pages={last}
              hrefOf={(number) => communityAddress({ ...view, page: number })}
              onPage={(number) => {
                show({ ...view, page: number });
                scrollToTop();
              }}
            >
              {(last > 1 || view.page > 1) && <p className="muted small figure">{pollListTexts.page(view.page)}</p>}
            </Pagination>
          )
        }
      />
      {isPersonal(view) && <p className="notice no-js-only">{texts.personalNoScript}</p>}
    </div>
  );
}

/** The link to the form for a new poll, or to sign in. */
function Actions({ auth }: { readonly auth: Auth }) {
  const login = (
    <a className="button" href={signInAddress(newPollPath)}>
      {texts.login}
    </a>
  );
  return (
    <div className={styles.actions}>
      {auth.status === 'signed-in' ? (
        <a className="button button--primary" href={newPollPath}>
          {texts.create}
        </a>
      ) : auth.status === 'signed-out' ? (
        login
      ) : (
        // Sign-in status unknown: for likely members the link only reserves the space of the button.
        <div className={styles.reserved}>{login}</div>
      )}
    </div>
  );
}

/** Switches between everyone’s polls, the reader’s own, and those the reader is invited to. */
function ScopeSwitch({ shown }: { readonly shown: CommunityView['scope'] }) {
  return (
    <nav className={styles.switch} aria-label={texts.whose}>
      {communityScopes.map((scope) => {
        const next = { ...firstCommunityView, scope };
        return (
          <a
            key={scope}
            className={styles.choice}
            href={communityAddress(next)}
            aria-current={scope === shown ? 'page' : undefined}
            onClick={(event) => {
              if (!isPlainPress(event)) return;
              event.preventDefault();
              show(next);
            }}
          >
            {texts.scopes[scope]}
          </a>
        );
      })}
    </nav>
  );
}

interface EmptyProps {
  readonly view: CommunityView;
  readonly signedIn: boolean;
}

function Empty({ view, signedIn }: EmptyProps) {
  const { empty, pastTheEnd } = texts;
  if (view.page > 1)
    return (
      <Notice
        title={pastTheEnd.title(view.page)}
        text={pastTheEnd.text}
        action={pastTheEnd.action}
        href={communityAddress({ ...view, page: 1 })}
      />
    );
  const isFiltered = view.state !== null || view.sort === 'ending-soon';
  const [title, text] = isFiltered
    ? [empty.filteredTitle, empty.filtered]
    : view.category !== null
      ? [empty.inCategory(view.category), empty.inCategoryText]
      : [empty.title, view.scope === 'public' ? empty.text : empty[view.scope]];
  return (
    <Notice title={title} text={text}>
      <div className="row">
        {signedIn && view.scope !== 'invited' && (
          <a className="button button--primary" href={newPollPath}>
            {empty.createFirst}
          </a>
        )}
        {(isFiltered || view.category !== null) && (
          <a className="button" href={communityAddress({ ...firstCommunityView, scope: view.scope })}>
            {isFiltered ? empty.showEverything : empty.showAll}
          </a>
        )}
      </div>
    </Notice>
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

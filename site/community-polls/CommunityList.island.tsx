import { useEffect, useRef, useState } from 'react';
import type { CommunityCard as Card, CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { nowStepMs, useNow } from '#site/ui/RelativeTime.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { communityTexts as texts } from '#texts/community.ts';
import { CommunityListActions } from './CommunityListActions.tsx';
import { CommunityListBody } from './CommunityListBody.tsx';
import { CommunityListFilter, CommunityListPages, CommunityListSwitch } from './CommunityListControls.tsx';
import { CommunityListGrid } from './CommunityListGrid.tsx';
import styles from './CommunityList.module.css';
import { communityAddress, communityPath, firstCommunityView, readCommunityView } from './community-list-view.ts';
import type { CommunityView } from './community-list-view.ts';
import { useCreatePollPart } from './use-create-poll-part.ts';
import { adoptNewPoll, useCategories, useCommunityPage, useFeaturedPolls } from './use-community-list.ts';

interface CommunityListProps {
  /** The query that the HTML was made for, with its question mark, or nothing. */
  readonly search: string;
  /** What that query lists; null where only the reader's own browser can ask. */
  readonly known: readonly Card[] | null;
  readonly featured: readonly Card[];
  /** When the page was made. */
  readonly publishedAt: string;
  /** The list's public address; a poll's is one step below it. */
  readonly url: string;
}

/** Community polls: the way to make one, those that are featured, and the list. What is listed follows the address. */
export default function CommunityList(props: CommunityListProps) {
  return (
    <AuthProvider>
      <List {...props} />
    </AuthProvider>
  );
}

function List({ search, known, featured: knownFeatured, publishedAt, url }: CommunityListProps) {
  const auth = useAuth();
  const shownSearch = useSearch(search);
  const view = readCommunityView(shownSearch);
  const page = useCommunityPage(view, !view?.mine || auth.status === 'signed-in');
  const featured = useFeaturedPolls(knownFeatured);
  const categories = useCategories();
  const { part, open, close } = useCreatePollPart(auth.user?.id ?? null);
  const [freshId, setFreshId] = useState<string | null>(null);
  const tick = useNow();
  const now = tick === null ? Date.parse(publishedAt) : tick + nowStepMs;

  const heading = useRef<HTMLHeadingElement>(null);
  const lastSearch = useRef(shownSearch);
  useEffect(() => {
    if (lastSearch.current === shownSearch) return;
    lastSearch.current = shownSearch;
    // A poll that was just made takes the focus itself; whoever goes through a list of choices stays there.
    if (freshId === null && !(document.activeElement instanceof HTMLSelectElement))
      heading.current?.focus({ preventScroll: true });
  }, [shownSearch, freshId]);

  if (view === null) return <Notice {...texts.invalid} level={2} href={communityPath} />;

  const locked = view.mine && auth.status !== 'signed-in';
  const polls = locked ? undefined : (page.data ?? (shownSearch === search ? (known ?? undefined) : undefined));
  const waiting = page.isFetching && (page.isPlaceholderData || polls === undefined);
  const cards = { now, freshId, onFreshShown: () => setFreshId(null) };

  const show = (next: CommunityView) => goTo(communityAddress(next));
  const showPage = (number: number) => {
    show({ ...view, page: number });
    scrollToTop();
  };
  const handleMade = async (poll: CommunityPoll) => {
    const isPublic = poll.visibility === 'public';
    const fits =
      view.page === 1 && (isPublic || view.mine) && (view.category === null || view.category === poll.category);
    const shownIn = fits ? view : firstCommunityView;
    if (isPublic) {
      close();
      setFreshId(poll.id);
      if (!fits) show(shownIn);
    }
    await adoptNewPoll(poll, fits ? shownIn : null);
  };

  return (
    <div className={styles.list}>
      <CommunityListActions
        auth={auth}
        part={part}
        next={communityAddress(view)}
        url={url}
        onOpen={open}
        onClose={close}
        onMade={(poll) => void handleMade(poll)}
      />
      {view.page === 1 && !view.mine && featured.length > 0 && (
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
            {(view.mine ? texts.mineHeading : texts.heading)(view.page)}
            {waiting && <Vane busy label={texts.loading} />}
          </h2>
          <div className={styles.controls}>
            {(auth.status === 'signed-in' || view.mine) && <CommunityListSwitch view={view} onView={show} />}
            <CommunityListFilter view={view} categories={categories} onView={show} />
          </div>
        </div>
        <CommunityListBody
          view={view}
          auth={auth}
          page={page}
          polls={polls}
          waiting={waiting}
          cards={cards}
          onCreate={open}
        />
        {(polls !== undefined || page.isError) && (
          <CommunityListPages view={view} full={polls?.length === limits.communityPageSize} onPage={showPage} />
        )}
        <p className="visually-hidden" role="status">
          {!waiting && polls !== undefined && texts.listed(polls.length)}
        </p>
      </section>
    </div>
  );
}

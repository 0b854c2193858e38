import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useSyncExternalStore } from 'react';
import type { KeyboardEvent } from 'react';
import { badgeCategories } from '#api/members/badges/badges.contract.ts';
import type { BadgeCategory } from '#api/members/badges/badges.contract.ts';
import type { BadgeTracker as Tracker, Tally, TrackedBadge } from '#api/members/profile/profile.contract.ts';
import { badges, trackedBadges } from '#domain/badges/rules.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { Failed, PageHead, Stale } from '#site/client/MemberPageParts.tsx';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount, formatDay, formatPercent } from '#site/ui/format.ts';
import { badgeCategoryNames, badgeWords } from '#texts/badges.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import styles from './BadgeTracker.module.css';
import { MemberPage } from './MemberPage.tsx';

/** Every badge that the member may see, with progress. */
export default function BadgeTracker() {
  return (
    <MemberPage title={texts.pageTitle} loading={texts.loading}>
      {(user) => (user === null ? <Sections tracker={undefined} /> : <OwnBadges />)}
    </MemberPage>
  );
}

function OwnBadges() {
  const { data, isError, isFetching } = useBadgeTracker();
  if (data === undefined && isError)
    return (
      <>
        <PageHead title={texts.pageTitle} />
        <Failed title={texts.failedTitle} pending={isFetching} />
      </>
    );
  return (
    <>
      <Sections tracker={data} />
      {isError && <Stale pending={isFetching} />}
    </>
  );
}

function Sections({ tracker }: { readonly tracker: Tracker | undefined }) {
  return (
    <>
      <PageHead title={texts.pageTitle}>
        <OverallProgress overall={tracker?.overall} />
      </PageHead>
      <BadgeTabs tracker={tracker} />
      {tracker && <OtherBadges tracker={tracker} />}
    </>
  );
}

function useBadgeTracker() {
  return useQuery(
    { queryKey: queryKeys.badges, queryFn: ({ signal }) => callApi('badges', { signal }) },
    queryClient(),
  );
}

/** The earned share of all badges. */
function OverallProgress({ overall }: { readonly overall: Tally | undefined }) {
  // With a key, because browsers count the end of an element’s animation as a shift of what takes its place.
  if (overall === undefined) return <div key="loading" className={`skeleton ${styles.overallPlaceholder}`} />;
  const label = texts.overall(formatCount(overall.earned), formatCount(overall.total));
  return (
    <div className={styles.overall}>
      <p className={styles.overallText}>
        <span>{label}</span> <b>{formatPercent(overall.percent, 0)}</b>
      </p>
      <Meter percent={overall.percent} />
    </div>
  );
}

const hiddenBadgeCount = Object.values(badges).length - trackedBadges.length;

/** The core badges, one tab per category. */
function BadgeTabs({ tracker }: { readonly tracker: Tracker | undefined }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [selected, select] = useBadgeTab();
  const hydrated = useHydrated();

  const handleKeyDown = (event: KeyboardEvent) => {
    const next = tabAfter(selected, event.key);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };

  return (
    <div>
      {/* The tabs have the focus; their key events bubble up to the list. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div ref={list} className={styles.tabs} role="tablist" aria-label={texts.categories} onKeyDown={handleKeyDown}>
        {badgeCategories.map((category) => (
          <button
            key={category}
            type="button"
            role="tab"
            id={`${id}-${category}-tab`}
            className={`${styles.tab} ${styles[category]}`}
            data-tab={category}
            aria-selected={category === selected}
            aria-controls={`${id}-${category}`}
            tabIndex={category === selected ? 0 : -1}
            disabled={!hydrated}
            onClick={() => select(category)}
          >
            <span className={styles.tabName}>{badgeCategoryNames[category]}</span>
            <TabTally tally={tracker?.categories.find((tally) => tally.category === category)} />
          </button>
        ))}
      </div>
      {badgeCategories.map((category) => (
        <div
          key={category}
          role="tabpanel"
          id={`${id}-${category}`}
          className={styles[category]}
          aria-labelledby={`${id}-${category}-tab`}
          aria-busy={tracker === undefined}
          hidden={category !== selected}
        >
          <h2 className="visually-hidden">{badgeCategoryNames[category]}</h2>
          <ul className={styles.cards}>
            {tracker
              ? tracker.badges
                  .filter((badge) => badge.tier === 'core' && badge.category === category)
                  .map((badge) => <BadgeCard key={badge.key} badge={badge} />)
              : category === selected && Array.from({ length: 9 }, (_, index) => <BadgeCardPlaceholder key={index} />)}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Badges outside the categories: bonus badges, and hidden ones once earned. */
function OtherBadges({ tracker }: { readonly tracker: Tracker }) {
  const id = useId();
  const others = tracker.badges.filter(({ tier }) => tier !== 'core');
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{texts.outside}</h2>
      </div>
      <p className={styles.intro}>
        {texts.outsideText} {texts.hidden(hiddenBadgeCount - others.filter(({ tier }) => tier === 'legacy').length)}
      </p>
      <ul className={styles.cards}>
        {others.map((badge) => (
          <BadgeCard key={badge.key} badge={badge} />
        ))}
      </ul>
    </section>
  );
}

/** The earned share of a category. */
function TabTally({ tally }: { readonly tally: Tally | undefined }) {
  return (
    <span className={styles.tally}>
      {tally ? (
        <>
          <span>{texts.tally(formatCount(tally.earned), formatCount(tally.total))}</span>
          <span>{formatPercent(tally.percent, 0)}</span>
        </>
      ) : (
        <span className="skeleton">&nbsp;</span>
      )}
      <Meter percent={tally?.percent ?? 0} className={styles.tabMeter ?? ''} />
    </span>
  );
}

/** The tab that a key selects: arrows wrap around, Home and End go to the first and last. */
function tabAfter(selected: BadgeCategory, key: string): BadgeCategory | undefined {
  const index = badgeCategories.indexOf(selected);
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    Home: 0,
    End: -1,
  };
  const target = targets[key];
  return target === undefined ? undefined : badgeCategories.at(target % badgeCategories.length);
}

function subscribeToHash(notify: () => void): () => void {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

const firstCategory: BadgeCategory = 'voting';

function selectCategory(category: BadgeCategory): void {
  history.replaceState(history.state, '', `#${category}`);
  dispatchEvent(new Event('hashchange'));
}

/** The selected category, which is voting unless the URL ends in another one, and its setter. */
function useBadgeTab(): readonly [BadgeCategory, (category: BadgeCategory) => void] {
  const selected = useSyncExternalStore<BadgeCategory>(
    subscribeToHash,
    () => badgeCategories.find((category) => location.hash === `#${category}`) ?? firstCategory,
    () => firstCategory,
  );
  return [selected, selectCategory];
}

/** A badge: emblem, description, requirement, and when it was earned or the progress. */
function BadgeCard({ badge }: { readonly badge: TrackedBadge }) {
  const { name, description, requirement } = badgeWords[badge.key];
  const { earnedAt, current, target, percent, remaining } = badge;
  return (
    <li className={styles.card}>
      <BadgeEmblem badge={badge.key} earned={earnedAt !== null} className={styles.emblem ?? ''} />
      <div className={styles.cardText}>
        <h3 className={styles.name}>{name}</h3>
        <p>{description}</p>
        <p className={styles.requirement}>{requirement}</p>
      </div>
      {earnedAt !== null ? (
        <p className={styles.earned}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M2.5 8.5 6.5 12.5 13.5 4" />
          </svg>
          {texts.earned} <time dateTime={earnedAt}>{formatDay(earnedAt)}</time>
        </p>
      ) : (
        <div className={styles.progress}>
          <Meter percent={percent} />
          <p className={styles.figures}>
            <b>{texts.progress(formatCount(current), formatCount(target))}</b>
            <span>{formatPercent(percent, 0)}</span>
            <span>{texts.more(formatCount(remaining))}</span>
          </p>
        </div>
      )}
    </li>
  );
}

/** A placeholder for a card that is loading. */
function BadgeCardPlaceholder() {
  return (
    <li className={styles.card} aria-hidden="true">
      <span className={`skeleton ${styles.emblemPlaceholder}`} />
      <div className={styles.cardText}>
        <span className={`skeleton ${styles.line}`} />
        <span className={`skeleton ${styles.lines}`} />
      </div>
      <span className={`skeleton ${styles.line}`} />
    </li>
  );
}

interface MeterProps {
  /** Whole number. */
  readonly percent: number;
  readonly className?: string;
}

/** A progress bar. Decoration next to the figures. */
function Meter({ percent, className = '' }: MeterProps) {
  return (
    <svg
      className={`${styles.meter} ${className}`.trim()}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className={styles.ground} width="100" height="10" />
      <rect className={styles.fill} width={percent} height="10" />
    </svg>
  );
}

import { useId, useRef, useSyncExternalStore } from 'react';
import type { KeyboardEvent } from 'react';
import { badgeCategories } from '#contract/badges.ts';
import type { BadgeCategory } from '#contract/badges.ts';
import type { BadgeTracker, Tally } from '#contract/profile.ts';
import { badges as catalogue, trackedBadges } from '#domain/badges/rules.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { badgeCategoryNames } from '#texts/badges.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import styles from './BadgeAlbum.module.css';
import { BadgeCard, BadgeCardPlace } from './BadgeCard.tsx';
import { Meter } from './Meter.tsx';

/** Hidden badges of the catalogue. */
const hiddenBadges = Object.values(catalogue).length - trackedBadges.length;

/** The badges by category, a tab for each, and below them those that stand outside the categories. */
export function BadgeAlbum({ tracker }: { readonly tracker: BadgeTracker | undefined }) {
  const id = useId();
  const outsideId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [shown, show] = useBadgeTab();
  const hydrated = useHydrated();
  const outside = tracker?.badges.filter(({ tier }) => tier !== 'core');

  const handleKeyDown = (event: KeyboardEvent) => {
    const next = tabAfter(shown, event.key);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };

  return (
    <>
      <div>
        {/* The tabs themselves have the focus; the keys arrive here from them. */}
        {/* eslint-disable-next-line jsx-a11y-x/interactive-supports-focus */}
        <div ref={list} className={styles.tabs} role="tablist" aria-label={texts.categories} onKeyDown={handleKeyDown}>
          {badgeCategories.map((category) => (
            <button
              key={category}
              type="button"
              role="tab"
              id={`${id}-${category}-tab`}
              className={`${styles.tab} ${styles[category]}`}
              data-tab={category}
              aria-selected={category === shown}
              aria-controls={`${id}-${category}`}
              tabIndex={category === shown ? 0 : -1}
              disabled={!hydrated}
              onClick={() => show(category)}
            >
              <span className={styles.name}>{badgeCategoryNames[category]}</span>
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
            hidden={category !== shown}
          >
            <h2 className="visually-hidden">{badgeCategoryNames[category]}</h2>
            <ul className={styles.cards}>
              {tracker
                ? tracker.badges
                    .filter((badge) => badge.tier === 'core' && badge.category === category)
                    .map((badge) => <BadgeCard key={badge.key} badge={badge} />)
                : category === shown && Array.from({ length: 9 }, (_, index) => <BadgeCardPlace key={index} />)}
            </ul>
          </div>
        ))}
      </div>
      {outside && (
        <section aria-labelledby={outsideId}>
          <div className="section-head">
            <h2 id={outsideId}>{texts.outside}</h2>
          </div>
          <p className={styles.outside}>
            {texts.outsideText} {texts.hidden(hiddenBadges - outside.filter(({ tier }) => tier === 'legacy').length)}
          </p>
          <ul className={styles.cards}>
            {outside.map((badge) => (
              <BadgeCard key={badge.key} badge={badge} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** How much of a category is earned. */
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
      <Meter percent={tally?.percent ?? 0} className={styles.meter ?? ''} />
    </span>
  );
}

/** The tab that a key leads to: arrows go round, Home and End to the first and the last. */
function tabAfter(shown: BadgeCategory, key: string): BadgeCategory | undefined {
  const at = badgeCategories.indexOf(shown);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: -1,
  };
  const to = steps[key];
  return to === undefined ? undefined : badgeCategories.at(to % badgeCategories.length);
}

function listen(follow: () => void): () => void {
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

const first: BadgeCategory = 'voting';
const current = (): BadgeCategory => badgeCategories.find((category) => location.hash === `#${category}`) ?? first;
const published = (): BadgeCategory => first;

function show(category: BadgeCategory): void {
  history.replaceState(history.state, '', `#${category}`);
  dispatchEvent(new Event('hashchange'));
}

/** The category that is shown, voting unless the address ends in another one, and how another one is. */
function useBadgeTab(): readonly [BadgeCategory, (category: BadgeCategory) => void] {
  return [useSyncExternalStore(listen, current, published), show];
}

import { useId } from 'react';
import { badgeCategories, badgeKeys } from '#contract/badges.ts';
import type { BadgeCategory, BadgeKey } from '#contract/badges.ts';
import * as limits from '#contract/limits.ts';
import type { EarnedBadge } from '#contract/profile.ts';
import { badges, trackedBadges } from '#domain/badges/rules.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { badgeCategoryNames, badgeWords } from '#texts/badges.ts';
import { profileTexts } from '#texts/profile.ts';
import styles from './Achievements.module.css';

/** How many core badges each category has. */
const coreTotals: readonly (readonly [BadgeCategory, number])[] = badgeCategories.map((category) => [
  category,
  trackedBadges.filter((key) => badges[key].tier === 'core' && badges[key].category === category).length,
]);

const texts = profileTexts.achievements;
const coreTotal = coreTotals.reduce((sum, [, total]) => sum + total, 0);

/** One place of each category, for somebody who has none yet. */
const blankMounts = ['votes_1', 'polls_1', 'streak_7', 'comments_1', 'close_call'] as const;

/** The badges that were earned, mounted by category like stamps in an album. */
export function Achievements({ badges }: { readonly badges: readonly EarnedBadge[] | undefined }) {
  const id = useId();
  const pages = badges && albumOf(badges);
  return (
    <section aria-labelledby={id} aria-busy={badges === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
        {badges && (
          <p className={`section-head__note ${styles.tally}`}>
            <span aria-hidden="true">{texts.tally(formatCount(badges.length), formatCount(limits.badges))}</span>
            <span className="visually-hidden">
              {texts.tallyMeans(formatCount(badges.length), formatCount(limits.badges))}
            </span>
          </p>
        )}
      </div>
      {pages === undefined ? (
        <div className={`skeleton ${styles.place}`} />
      ) : badges?.length === 0 ? (
        <Blank />
      ) : (
        <>
          {pages.map((page) => (
            <Page key={page.category} page={page} />
          ))}
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/badges">{texts.tracker}</a>
          </p>
        </>
      )}
    </section>
  );
}

function Page({ page }: { readonly page: AlbumPage }) {
  const id = useId();
  const { category, badges, total } = page;
  return (
    <div className={styles.page}>
      <h3 id={id} className={styles.category}>
        {category === null ? texts.outside : badgeCategoryNames[category]}{' '}
        {total !== null && (
          <span className={styles.count}>
            <span aria-hidden="true">{texts.tally(formatCount(badges.length), formatCount(total))}</span>
            <span className="visually-hidden">{texts.tallyMeans(formatCount(badges.length), formatCount(total))}</span>
          </span>
        )}
      </h3>
      {badges.length > 0 && (
        <ul className={styles.stamps} aria-labelledby={id}>
          {badges.map((badge) => (
            <Stamp key={badge.badge} {...badge} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Stamp({ badge, earnedAt }: OwnBadge) {
  return (
    <li className={styles.stamp} data-tooltip={badgeWords[badge].requirement}>
      <BadgeEmblem badge={badge} earned />
      <b className={styles.name}>{badgeWords[badge].name}</b>
      <time className={styles.date} dateTime={earnedAt}>
        {formatDay(earnedAt)}
      </time>
    </li>
  );
}

/** The album of somebody who has just come. */
function Blank() {
  return (
    <div className={styles.blank}>
      <div className={styles.mounts} aria-hidden="true">
        {blankMounts.map((badge) => (
          <BadgeEmblem key={badge} badge={badge} earned={false} size={56} />
        ))}
      </div>
      <h3>{texts.emptyTitle}</h3>
      <p className="muted">
        {texts.emptyText(limits.badges, coreTotals)} {texts.emptyMore(limits.badges - coreTotal)}
      </p>
      <p className="row">
        <a className="button" href="/">
          {texts.emptyAction}
        </a>
        <a className="button" href="/profile/badges">
          {texts.tracker}
        </a>
      </p>
    </div>
  );
}

/** A badge on a page of the album. */
interface OwnBadge {
  readonly badge: BadgeKey;
  readonly earnedAt: string;
}

/** The core badges of one category, or null: those that stand outside. */
interface AlbumPage {
  readonly category: BadgeCategory | null;
  readonly badges: readonly OwnBadge[];
  /** How many the category has; null where some are hidden. */
  readonly total: number | null;
}

/** Earned badges, a page for each category, in the order of the catalogue, and one for those outside if there are any. */
function albumOf(earned: readonly EarnedBadge[]): readonly AlbumPage[] {
  const dates = new Map(earned.map(({ badgeType, earnedAt }) => [badgeType, earnedAt]));
  const own = badgeKeys.flatMap((badge) => {
    const earnedAt = dates.get(badge);
    return earnedAt === undefined ? [] : [{ badge, earnedAt }];
  });
  const outside = own.filter(({ badge }) => badges[badge].tier !== 'core');
  return [
    ...coreTotals.map(([category, total]) => ({
      category,
      total,
      badges: own.filter(({ badge }) => badges[badge].tier === 'core' && badges[badge].category === category),
    })),
    ...(outside.length > 0 ? [{ category: null, total: null, badges: outside }] : []),
  ];
}

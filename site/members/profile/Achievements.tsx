import { useId } from 'react';
import { badgeCategories, badgeKeys } from '#api/members/badges/badges.contract.ts';
import type { BadgeCategory, BadgeKey } from '#api/members/badges/badges.contract.ts';
import * as limits from '#contract/limits.ts';
import type { EarnedBadge } from '#api/members/profile/profile.contract.ts';
import { badges, trackedBadges } from '#domain/badges/rules.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { badgeCategoryNames, badgeWords } from '#texts/badges.ts';
import { profileTexts } from '#texts/profile.ts';
import styles from './Achievements.module.css';

/** Number of core badges per category. */
const coreTotals: readonly (readonly [BadgeCategory, number])[] = badgeCategories.map((category) => [
  category,
  trackedBadges.filter((key) => badges[key].tier === 'core' && badges[key].category === category).length,
]);

const texts = profileTexts.achievements;
const coreTotal = coreTotals.reduce((sum, [, total]) => sum + total, 0);

/** One badge per category, shown to members without badges. */
const exampleBadges = ['votes_1', 'polls_1', 'streak_7', 'comments_1', 'close_call'] as const;

/** The earned badges by category, like stamps in an album. */
export function Achievements({ badges }: { readonly badges: readonly EarnedBadge[] | undefined }) {
  const id = useId();
  const pages = badges && albumOf(badges);
  return (
    <section aria-labelledby={id} aria-busy={badges === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
        <p key={String(badges === undefined)} className={`section-head__note ${styles.tally}`}>
          {/* As high before the badges are known. */}
          {badges === undefined ? (
            '\u00a0'
          ) : (
            <>
              <span aria-hidden="true">{texts.tally(formatCount(badges.length), formatCount(limits.badges))}</span>
              <span className="visually-hidden">
                {texts.tallyMeans(formatCount(badges.length), formatCount(limits.badges))}
              </span>
            </>
          )}
        </p>
      </div>
      {pages === undefined ? (
        <div className={`skeleton ${styles.placeholder}`} />
      ) : badges?.length === 0 ? (
        <NoBadges />
      ) : (
        <>
          {pages.map((page) => (
            <AlbumPage key={page.category} page={page} />
          ))}
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/badges">{texts.tracker}</a>
          </p>
        </>
      )}
    </section>
  );
}

function AlbumPage({ page }: { readonly page: AlbumPageData }) {
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

/** Shown to members without badges. */
function NoBadges() {
  return (
    <div className={styles.empty}>
      <div className={styles.examples} aria-hidden="true">
        {exampleBadges.map((badge) => (
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

interface OwnBadge {
  readonly badge: BadgeKey;
  readonly earnedAt: string;
}

/** The earned core badges of a category; `category` is null for badges outside the categories. */
interface AlbumPageData {
  readonly category: BadgeCategory | null;
  readonly badges: readonly OwnBadge[];
  /** Number of badges in the category; null if some are hidden. */
  readonly total: number | null;
}

/** Groups earned badges by category in catalogue order, with a last page for badges outside the categories. */
function albumOf(earned: readonly EarnedBadge[]): readonly AlbumPageData[] {
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

import type { TrackedBadge } from '#contract/profile.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount, formatDay, formatPercent } from '#site/ui/format.ts';
import { badgeWords } from '#texts/badges.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import styles from './BadgeCard.module.css';
import { Meter } from './Meter.tsx';

/** One badge: its emblem, what it is for, what it asks, and when it was earned or how far it is. */
export function BadgeCard({ badge }: { readonly badge: TrackedBadge }) {
  const { name, description, requirement } = badgeWords[badge.key];
  const { earnedAt, current, target, percent, remaining } = badge;
  return (
    <li className={`${styles.card} ${earnedAt === null ? styles.ahead : ''}`.trim()}>
      <BadgeEmblem badge={badge.key} earned={earnedAt !== null} className={styles.emblem ?? ''} />
      <div className={styles.words}>
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

/** The place of a card that is on its way. */
export function BadgeCardPlace() {
  return (
    <li className={styles.card} aria-hidden="true">
      <span className={`skeleton ${styles.emblemPlace}`} />
      <div className={styles.words}>
        <span className={`skeleton ${styles.line}`} />
        <span className={`skeleton ${styles.lines}`} />
      </div>
      <span className={`skeleton ${styles.line}`} />
    </li>
  );
}

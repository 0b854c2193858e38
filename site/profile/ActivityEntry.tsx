import type { ReactNode } from 'react';
import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { TimelineActivity } from '#contract/profile.ts';
import { badges } from '#domain/badges/catalogue.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { activityTypeNames } from '#texts/activity.ts';
import { badgeWords } from '#texts/badges.ts';
import { activityTexts as texts } from '#texts/profile.ts';
import styles from './ActivityEntry.module.css';
import { metadataWords } from './metadata-words.ts';

interface ActivityEntryProps {
  readonly activity: TimelineActivity;
  /** When it was, as an element. */
  readonly moment: ReactNode;
}

/** Something that the member did or earned: what it was, about what, and when. */
export function ActivityEntry({ activity, moment }: ActivityEntryProps) {
  const { activityType, entityType } = activity;
  const badge = badgeOf(activity);
  return (
    <li className={styles.entry} data-type={activityType}>
      <p className={styles.kind}>
        <b>{activityTypeNames[activityType]}</b>
        {entityType !== activityType && <span>{texts.entities[entityType]}</span>}
        {metadataWords(activity).map((words) => (
          <span key={words} dir="auto">
            {words}
          </span>
        ))}
      </p>
      <p className={styles.what} dir="auto">
        {badge !== null && <BadgeEmblem badge={badge} earned size={40} />}
        <Entity activity={activity} badge={badge} />
      </p>
      <p className={styles.moment}>{moment}</p>
    </li>
  );
}

function badgeOf({ entityType, entityId }: TimelineActivity): BadgeKey | null {
  return entityType === 'badge' ? (badgeKeys.find((key) => key === entityId) ?? null) : null;
}

/** The thing itself as a link; of what is gone, or not to be seen any more, the id. */
function Entity({ activity, badge }: { readonly activity: TimelineActivity; readonly badge: BadgeKey | null }) {
  if (badge !== null) {
    const { tier, category } = badges[badge];
    return <a href={`/profile/badges${tier === 'core' ? `#${category}` : ''}`}>{badgeWords[badge].name}</a>;
  }
  const { poll, entityId } = activity;
  if (poll === null)
    return (
      <span className={styles.gone}>
        <code className={styles.id}>{entityId}</code> {texts.gone}
      </span>
    );
  return <a href={`${poll.kind === 'poll' ? '/poll' : '/community-polls'}/${poll.id}`}>{poll.question}</a>;
}

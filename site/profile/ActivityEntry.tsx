import type { ReactNode } from 'react';
import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import type { TimelineActivity } from '#contract/profile.ts';
import { badges } from '#domain/badges/rules.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { toast } from '#site/ui/toasts.ts';
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

/** Something that the member did or earned: what it was, about what, which option was voted for, and when. */
export function ActivityEntry({ activity, moment }: ActivityEntryProps) {
  const { activityType, entityType, entityId, choice } = activity;
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
      {choice !== null && (
        <p className={styles.choice}>
          {texts.choice} <bdi>{choice}</bdi>
        </p>
      )}
      <EntityId id={entityId} />
      <p className={styles.moment}>{moment}</p>
    </li>
  );
}

function badgeOf({ entityType, entityId }: TimelineActivity): BadgeKey | null {
  return entityType === 'badge' ? (badgeKeys.find((key) => key === entityId) ?? null) : null;
}

/** The thing itself as a link, unless it is gone or not to be seen any more. */
function Entity({ activity, badge }: { readonly activity: TimelineActivity; readonly badge: BadgeKey | null }) {
  if (badge !== null) {
    const { tier, category } = badges[badge];
    return <a href={`/profile/badges${tier === 'core' ? `#${category}` : ''}`}>{badgeWords[badge].name}</a>;
  }
  const { poll } = activity;
  if (poll === null) return <span className={styles.gone}>{texts.gone}</span>;
  return <a href={`${poll.kind === 'poll' ? '/poll' : '/community-polls'}/${poll.id}`}>{poll.question}</a>;
}

function EntityId({ id }: { readonly id: string }) {
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      toast(texts.idCopied);
    } catch {
      toast({ ...texts.idNotCopied, destructive: true });
    }
  };
  return (
    <p className={styles.id}>
      <code>{id}</code>
      <button
        type="button"
        className={`no-print ${styles.copy}`}
        aria-label={texts.copyId(id)}
        onClick={() => void handleCopy()}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" strokeWidth="1.25" />
        </svg>
      </button>
    </p>
  );
}

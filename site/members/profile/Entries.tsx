import type { ReactNode } from 'react';
import { badgeCategories, badgeKeys, badgeTiers } from '#api/members/badges/badges.contract.ts';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import type { TimelineActivity } from '#api/members/profile/profile.contract.ts';
import { visibilities } from '#contract/vocabulary.ts';
import { badges } from '#domain/badges/rules.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { BadgeEmblem } from '#site/ui/BadgeEmblem.tsx';
import { formatCount } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { activityTypeNames } from '#texts/activity.ts';
import { badgeCategoryNames, badgeTierNames, badgeWords } from '#texts/badges.ts';
import { communityCardTexts } from '#texts/poll-list.ts';
import { activityTexts } from '#texts/profile.ts';
import styles from './Entries.module.css';

interface ActivityEntryProps {
  readonly activity: TimelineActivity;
  /** The time, as an element. */
  readonly time: ReactNode;
  /** Whether to include the id of what it was done on. */
  readonly full?: boolean;
}

/** An entry of the timeline: what the member did, on what, with which choice, and when. */
export function ActivityEntry({ activity, time, full = false }: ActivityEntryProps) {
  const { activityType, entityType, entityId, choice } = activity;
  const badge = badgeOf(activity);
  return (
    <li className={styles.entry} data-type={activityType}>
      <p className={styles.kind}>
        <b>{activityTypeNames[activityType]}</b>
        {entityType !== activityType && <span>{activityTexts.entities[entityType]}</span>}
        {metadataLabels(activity).map((label) => (
          <span key={label} dir="auto">
            {label}
          </span>
        ))}
      </p>
      <p className={styles.entity} dir="auto">
        {badge !== null && <BadgeEmblem badge={badge} earned size={40} />}
        <Entity activity={activity} badge={badge} />
      </p>
      {choice !== null && (
        <p className={styles.choice}>
          {activityTexts.choice} <bdi>{choice}</bdi>
        </p>
      )}
      {full && <EntityId id={entityId} />}
      <p className={styles.time}>{time}</p>
    </li>
  );
}

function badgeOf({ entityType, entityId }: TimelineActivity): BadgeKey | null {
  return entityType === 'badge' ? (badgeKeys.find((key) => key === entityId) ?? null) : null;
}

/** A link to the badge or poll, unless it was deleted or the member may no longer see it. */
function Entity({ activity, badge }: { readonly activity: TimelineActivity; readonly badge: BadgeKey | null }) {
  if (badge !== null) {
    const { tier, category } = badges[badge];
    return <a href={`/profile/badges${tier === 'core' ? `#${category}` : ''}`}>{badgeWords[badge].name}</a>;
  }
  const { poll } = activity;
  if (poll === null) return <span className={styles.gone}>{activityTexts.gone}</span>;
  return <a href={`${poll.kind === 'poll' ? '/poll' : '/community-polls'}/${poll.id}`}>{poll.question}</a>;
}

function EntityId({ id }: { readonly id: string }) {
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      toast(activityTexts.idCopied);
    } catch {
      toast({ ...activityTexts.idNotCopied, destructive: true });
    }
  };
  return (
    <p className={styles.id}>
      <code>{id}</code>
      <button
        type="button"
        className={`no-print ${styles.copy}`}
        aria-label={activityTexts.copyId(id)}
        onClick={() => void handleCopy()}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" strokeWidth="1.25" />
        </svg>
      </button>
    </p>
  );
}

/** Labels for the metadata of an activity; unknown metadata is omitted. */
export function metadataLabels({ activityType, metadata }: TimelineActivity): readonly string[] {
  const { category, visibility, options, tier, pollId } = metadata;
  switch (activityType) {
    case 'vote':
      return categoryLabels(category);
    case 'poll_created': {
      const known = visibilities.find((name) => name === visibility);
      return [
        ...(known ? [communityCardTexts.visibility[known]] : []),
        ...categoryLabels(category),
        ...(typeof options === 'number' ? [activityTexts.options(formatCount(options), options)] : []),
      ];
    }
    case 'comment':
      return typeof pollId === 'string' ? [activityTexts.onPoll] : [];
    case 'badge_earned': {
      const [group, rank] = [
        badgeCategories.find((name) => name === category),
        badgeTiers.find((name) => name === tier && name !== 'core'),
      ];
      return rank ? [badgeTierNames[rank]] : group ? [badgeCategoryNames[group]] : [];
    }
  }
}

/** Categories are free text. */
function categoryLabels(category: unknown): readonly string[] {
  return typeof category === 'string' && category !== '' ? [categoryLabel(category)] : [];
}

/** Placeholders for entries that are loading, with the same height. */
export function EntryPlaceholders({ count }: { readonly count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.placeholder}>
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  );
}

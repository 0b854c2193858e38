import { badgeCategories, badgeTiers } from '#contract/badges.ts';
import type { TimelineActivity } from '#contract/profile.ts';
import { visibilities } from '#contract/vocabulary.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { formatCount } from '#site/ui/format.ts';
import { badgeCategoryNames, badgeTierNames } from '#texts/badges.ts';
import { activityTexts, ownPollTexts } from '#texts/profile.ts';

/** What else is known of an activity, in words, each of them a fact; what is not known to these pages is left out. */
export function metadataWords({ activityType, metadata }: TimelineActivity): readonly string[] {
  const { category, visibility, options, tier, pollId } = metadata;
  switch (activityType) {
    case 'vote':
      return categoryWords(category);
    case 'poll_created': {
      const known = visibilities.find((one) => one === visibility);
      return [
        ...(known ? [ownPollTexts.visibility[known]] : []),
        ...categoryWords(category),
        ...(typeof options === 'number' ? [activityTexts.options(formatCount(options), options)] : []),
      ];
    }
    case 'comment':
      return typeof pollId === 'string' ? [activityTexts.onPoll] : [];
    case 'badge_earned': {
      const [group, rank] = [
        badgeCategories.find((one) => one === category),
        badgeTiers.find((one) => one === tier && one !== 'core'),
      ];
      return rank ? [badgeTierNames[rank]] : group ? [badgeCategoryNames[group]] : [];
    }
  }
}

/** The operator's categories are free text. */
function categoryWords(category: unknown): readonly string[] {
  return typeof category === 'string' && category !== '' ? [categoryLabel(category)] : [];
}

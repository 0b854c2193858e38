import type { BadgeKey } from '#contract/badges.ts';
import type { Visibility } from '#contract/vocabulary.ts';

/**
 * What the server saw, about one person. A fact carries everything that a rule asks about it, as it was when it
 * happened, so that a rule never looks at today's tables. Each fact exists once: the place that records it has a unique
 * key over the person, the kind of fact and the ids in it. `at` is milliseconds since 1970 in UTC.
 */
export type FactEvent = { readonly at: number } & (AccountFact | DoneFact | ReceivedFact);

type AccountFact =
  /** The person signed up; `early` is whether the installation still counted its early adopters then. */
  | { readonly fact: 'account_created'; readonly early: boolean }
  /** The first look of the day while signed in. */
  | { readonly fact: 'day_active' }
  | { readonly fact: 'badge_earned'; readonly badge: BadgeKey };

/** What the person did. */
type DoneFact =
  | {
      readonly fact: 'vote_cast';
      readonly ballotId: string;
      readonly kind: 'poll' | 'community';
      readonly category: string | null;
      /** The person's own community poll. */
      readonly ownPoll: boolean;
      readonly startsAt: number;
      readonly endsAt: number | null;
    }
  | {
      readonly fact: 'poll_created';
      readonly pollId: string;
      readonly visibility: Visibility;
      readonly category: string | null;
      /** How many answers it offers. */
      readonly options: number;
    }
  /** `length` in code points after trimming, as the limit counts them. */
  | { readonly fact: 'comment_posted'; readonly commentId: string; readonly pollId: string; readonly length: number }
  /** Pressed Copy Link on a poll for the first time. */
  | { readonly fact: 'poll_shared'; readonly pollId: string }
  /** Opened the page of a poll for the first time. */
  | { readonly fact: 'poll_opened'; readonly pollId: string }
  /** Opened a private poll that somebody invited the person to, for the first time. */
  | { readonly fact: 'invitation_followed'; readonly pollId: string };

/** What others did with a community poll of the person. */
type ReceivedFact =
  /** A guest opened it for the first time. */
  | { readonly fact: 'invite_accepted'; readonly pollId: string; readonly guestId: string }
  /** It has this many votes, or comments, by now. Totals, so that one fact may stand for a whole batch. */
  | { readonly fact: 'own_poll_voted'; readonly pollId: string; readonly votes: number }
  | { readonly fact: 'own_poll_commented'; readonly pollId: string; readonly comments: number }
  /** It closed with this many votes, of which the two strongest answers had `first` and `second`. */
  | {
      readonly fact: 'own_poll_closed';
      readonly pollId: string;
      readonly votes: number;
      readonly first: number;
      readonly second: number;
    }
  /** The operator features it. */
  | { readonly fact: 'own_poll_featured'; readonly pollId: string };

export type FactName = FactEvent['fact'];

/** Facts that are not the person's own doing: they make no day an active one. */
const notOwnDoing: ReadonlySet<FactName> = new Set([
  'badge_earned',
  'invite_accepted',
  'own_poll_voted',
  'own_poll_commented',
  'own_poll_closed',
  'own_poll_featured',
]);

/** Whether the person was here: what others do, and what follows by itself, keeps no streak alive. */
export function isOwnDoing(event: FactEvent): boolean {
  return !notOwnDoing.has(event.fact);
}

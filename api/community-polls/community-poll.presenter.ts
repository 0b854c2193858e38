import type { CommunityPoll } from '#contract/community-poll.ts';
import { displayName } from '#domain/display-name.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { communityApiTexts } from '#texts/community.ts';

/** What the presenter reads of a poll: a row with its ballot, its options in order, and its creator's names. */
interface PresentedPoll extends Named {
  readonly id: string;
  readonly question: string;
  readonly description: string;
  readonly visibility: CommunityPoll['visibility'];
  readonly category: string | null;
  readonly tags: string;
  readonly featured: boolean | 0 | 1;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly comment_count: number;
  readonly is_active: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
  readonly options: readonly { readonly option_id: string; readonly text: string; readonly votes: number }[];
}

interface Named {
  readonly username: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Who sees the poll, and what this voter recorded on it. */
export interface Onlooker {
  readonly userId: string | null;
  readonly userVote: string | null;
  /** The poll's guests, as far as {@link guestsSeenBy} tells; nobody else's business. */
  readonly guests: ReadonlyMap<string, readonly string[]>;
}

/** A community poll as somebody sees it at the moment `now`: counts only for who has voted, or when it is closed. */
export function presentCommunityPoll(
  poll: PresentedPoll,
  now: number,
  { userId, userVote, guests }: Onlooker,
): CommunityPoll {
  const span = {
    isActive: Boolean(poll.is_active),
    startsAt: poll.starts_at,
    endsAt: poll.ends_at,
    closedAt: poll.closed_at,
  };
  // The sweep that closes polls may be a moment late; what is shown is true by the clock all the same.
  const closed = phaseOf(span, now) === 'closed';
  const closedAt = closedMoment(span, now);
  const counted = closed || userVote !== null;
  const isMine = userId !== null && userId === poll.created_by;
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: poll.options.map(({ option_id, text, votes }) => ({ id: option_id, text, votes: counted ? votes : null })),
    // Added up from the options, so that the two always agree, also while votes arrive.
    totalVotes: poll.options.reduce((sum, { votes }) => sum + votes, 0),
    isActive: !closed,
    visibility: poll.visibility,
    featured: Boolean(poll.featured),
    createdAt: iso(poll.created_at),
    startsAt: iso(poll.starts_at),
    endsAt: isoOrNull(poll.ends_at),
    closedAt: isoOrNull(closedAt),
    category: poll.category,
    tags: JSON.parse(poll.tags) as string[],
    createdByName: nameOf(poll),
    isMine,
    ...(isMine && { createdBy: userId, allowedUsers: [...(guests.get(poll.id) ?? [])] }),
    hasVoted: userVote !== null,
    userVote,
    commentCount: poll.comment_count,
  };
}

function nameOf({ username, first_name: firstName, last_name: lastName }: Named): string {
  return username === null ? communityApiTexts.formerMember : displayName({ firstName, lastName, username });
}

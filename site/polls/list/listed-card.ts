import type { CommunityCard, CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Phase } from '#domain/poll-lifecycle.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';

/** A community poll in a list: on demand with its creator, and requested by the reader’s browser with whether the reader has voted. */
export type ListedCard = CommunityCard &
  Partial<Pick<CommunityPoll, 'createdByName' | 'createdByUsername' | 'hasVoted'>>;

/** The server decides what is closed (decision 065); only the start is compared with `now`, in milliseconds. */
export function phaseOf(poll: Pick<ListedCard, 'isActive' | 'closedAt' | 'startsAt'>, now: number): Phase {
  if (isClosed(poll)) return 'closed';
  return Date.parse(poll.startsAt) > now ? 'upcoming' : 'open';
}

import type { CommunityCard, CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { otherLeader } from './figure-sentences.ts';
import { cutText } from './poll-results.ts';

/** Characters of a description in the pre-rendered card: more than fit. */
const cardDescription = 400;

/**
 * What a card shows of a community poll to everyone: nothing about the reader, a shortened description, and no creator,
 * whose name would stay in earlier releases.
 */
export function communityCard(poll: CommunityPoll): CommunityCard {
  const { id, question, totalVotes, isActive, visibility, featured } = poll;
  const { createdAt, startsAt, endsAt, closedAt, category, commentCount } = poll;
  const { receivedVotes, setAsideVotes, heldVotes, interventions, independent } = poll;
  const leader = otherLeader(poll);
  const description = cutText(poll.description, cardDescription);
  return {
    id,
    question,
    description,
    totalVotes,
    ...(interventions !== undefined && { receivedVotes, setAsideVotes, heldVotes, interventions }),
    ...(independent !== undefined && { independent }),
    ...(leader !== null && { otherLeader: leader }),
    isActive,
    visibility,
    featured,
    createdAt,
    startsAt,
    endsAt,
    closedAt,
    category,
    commentCount,
  };
}

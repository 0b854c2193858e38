import type { CommunityCard, CommunityPoll } from '#contract/community-poll.ts';
import { cutText } from './poll-results.ts';

/** Characters of a description in the pre-rendered card: more than fit. */
const cardDescription = 400;

/** What a card shows: not who made the poll, and no more of a long description than there is room for. */
export function communityCard(poll: CommunityPoll): CommunityCard {
  const { id, question, totalVotes, isActive, visibility, featured } = poll;
  const { createdAt, startsAt, endsAt, closedAt, category } = poll;
  const description = cutText(poll.description, cardDescription);
  return {
    id,
    question,
    description,
    totalVotes,
    isActive,
    visibility,
    featured,
    createdAt,
    startsAt,
    endsAt,
    closedAt,
    category,
  };
}

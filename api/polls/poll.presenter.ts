import type { Poll, PollCard } from '#contract/poll.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import type { Lifespan } from '#domain/poll-lifecycle.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { PollModel } from './poll.model.ts';

/** What a voter recorded on a poll, where one is known. */
export type RecordedVotes = ReadonlyMap<string, string>;

/** A poll with its ballot and options, as a card of a list shows it at the moment `now`. */
export function presentPollCard(poll: PollModel, now: number): PollCard {
  const { ballot } = poll;
  // The sweep that closes polls may be a moment late; what is shown is true by the clock all the same.
  const span = lifespanOf(ballot);
  const closedAt = closedMoment(span, now);
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: ballot.options.map(({ option_id, text, votes }) => ({ id: option_id, text, votes })),
    totalVotes: ballot.total_votes,
    isActive: phaseOf(span, now) !== 'closed',
    createdAt: iso(poll.created_at),
    startsAt: iso(ballot.starts_at),
    endsAt: iso(ballot.ends_at),
    updatedAt: iso(poll.updated_at),
    closedAt: isoOrNull(closedAt),
    category: ballot.category,
    tags: poll.tags,
    author: poll.author,
  };
}

/** A whole poll, as the voter behind `recorded` sees it at the moment `now`. */
export function presentPoll(poll: PollModel, now: number, recorded: RecordedVotes = new Map()): Poll {
  const userVote = recorded.get(poll.id) ?? null;
  return {
    ...presentPollCard(poll, now),
    hasVoted: userVote !== null,
    userVote,
    summary: poll.summary,
    analysis: poll.analysis,
    methodologyNotes: poll.methodology_notes,
    countryBreakdown: poll.country_breakdown,
  };
}

/** The opening times of a poll as its row has them. */
export function lifespanOf(
  ballot: Pick<PollModel['ballot'], 'is_active' | 'starts_at' | 'ends_at' | 'closed_at'>,
): Lifespan {
  return {
    isActive: Boolean(ballot.is_active),
    startsAt: ballot.starts_at,
    endsAt: ballot.ends_at,
    closedAt: ballot.closed_at,
  };
}

import { presentFigures, presentIndependent, presentVotesApart } from '#api/voting/decision.model.ts';
import { lifespanOf, presentOrder, presentProtection } from '#api/voting/ballot.model.ts';
import type { Poll, PollCard } from './polls.contract.ts';
import type { PollContent } from './poll-editor.contract.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import type { PollProtection } from '#contract/vocabulary.ts';
import { originOf, tidyProvenance } from '#domain/origin.ts';
import { protectionOf } from '#domain/protection.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { PollModel } from './poll.model.ts';

/** A poll with its ballot and options, as a card of a list shows it at the moment `now`. */
export function presentPollCard(poll: PollModel, now: number): PollCard {
  const { ballot } = poll;
  // The sweep that closes polls may be late; the clock decides what is shown.
  const span = lifespanOf(ballot);
  const closedAt = closedMoment(span, now);
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: ballot.options.map(({ option_id, text, votes }) => ({ id: option_id, text, votes })),
    totalVotes: ballot.total_votes,
    ...presentOrigin(poll),
    ...presentFigures(ballot, ballot.total_votes),
    ...presentIndependent(ballot.independent, ballot.options),
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

function presentOrigin({ ballot, demonstration }: PollModel): Pick<PollCard, 'origin'> {
  const receivedVotes = ballot.total_votes + ballot.set_aside_votes;
  const origin = originOf({ baseVotes: ballot.base_votes, receivedVotes, isDemo: Boolean(demonstration) });
  return origin === 'here' ? {} : { origin };
}

/** A whole poll as a voter sees it at the moment `now`; `recorded` has the voter's options by poll id: one each. */
export function presentPoll(
  poll: PollModel,
  now: number,
  recorded: ReadonlyMap<string, readonly string[]> = new Map(),
): Poll {
  const userVote = recorded.get(poll.id)?.[0] ?? null;
  return {
    ...presentPollCard(poll, now),
    ...(!poll.ballot.publish_ballots && { publishBallots: false }),
    ...(poll.ballot.log_difference !== null && { differsFromLog: true }),
    ...presentProtection(poll.ballot),
    ...presentOrder(poll.ballot),
    ...(poll.series !== null && { series: poll.series }),
    ...presentVotesApart(poll.ballot.options),
    hasVoted: userVote !== null,
    userVote,
    summary: poll.summary,
    analysis: poll.analysis,
    methodologyNotes: poll.methodology_notes,
    countryBreakdown: poll.country_breakdown,
    ...(Object.keys(poll.provenance).length > 0 && { provenance: poll.provenance }),
  };
}

/** What an operator can edit of a poll with its ballot and options. */
export function contentOf(poll: PollModel): PollContent {
  const { question, description, tags, series, author, summary, analysis, ballot } = poll;
  return {
    ...{ question, description },
    options: ballot.options.map(({ option_id, text }) => ({ id: option_id, text })),
    ...{ category: ballot.category, tags, series, seriesNote: poll.series_note, author, summary, analysis },
    ...{ methodologyNotes: poll.methodology_notes, countryBreakdown: poll.country_breakdown },
    provenance: tidyProvenance(poll.provenance),
    publishBallots: Boolean(ballot.publish_ballots),
    optionOrder: ballot.option_order,
    protection: protectionOf(ballot.protection) as PollProtection,
    ...{ startsAt: iso(ballot.starts_at), endsAt: iso(ballot.ends_at) },
  };
}

/** A poll as its page would show it with this content; a question that is missing is replaced by `untitled`. */
export function withContent(poll: Poll, content: PollContent, untitled: string): Poll {
  const { series, startsAt, endsAt, options, question, description, category, tags, author, summary, analysis } =
    content;
  const { methodologyNotes, countryBreakdown, publishBallots, protection } = content;
  const shown: Poll = {
    ...poll,
    ...{ description, category, tags, author, summary, analysis },
    ...{ methodologyNotes, countryBreakdown, publishBallots, protection },
    question: question === '' ? untitled : question,
    provenance: tidyProvenance(content.provenance),
    options: options.map((option) => ({
      ...option,
      votes: poll.options.find(({ id }) => id === option.id)?.votes ?? 0,
    })),
    startsAt: startsAt ?? poll.startsAt,
    endsAt: endsAt ?? poll.endsAt,
  };
  if (series === null) delete shown.series;
  else shown.series = series;
  return shown;
}

import { votePollsCached, voteTextsMs } from '#api/voting/voting.service.ts';
import type { BallotKind, Tally } from '#api/voting/voting.service.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import { presentPoll } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';

/**
 * Weekly polls in answers to votes: the counts of the commit that recorded the vote, and the poll's texts from a cache.
 * Texts are read again when the commit reports a change, and after `voteTextsMs` at the latest.
 */
export function pollBallots(context: PollsContext): BallotKind {
  const polls = new TtlCache((id) => readTexts(context, id), { ms: voteTextsMs, maxEntries: votePollsCached });
  return {
    kind: 'poll',
    hidesUpcoming: true,
    // Everyone may vote on weekly polls.
    authorize: () => Promise.resolve(),
    async present(tally, { userVote }, recorded) {
      const cached = await polls.get(tally.ballotId, (texts) => isCurrent(texts, tally));
      if (cached.latest?.tally !== tally)
        cached.latest = { tally, beginning: beginningOf(cached, tally, context.clock.now()) };
      const poll = `${cached.latest.beginning}${JSON.stringify(userVote)}`;
      if (recorded === undefined) return `${poll}}`;
      return `${poll},"statistics":${recorded.statistics},"receipt":${JSON.stringify(recorded.receipt)},"promise":${recorded.promise()}}`;
    },
  };
}

/** The texts of a poll as JSON fragments, to be completed with counts. */
interface CachedTexts {
  readonly textsUpdatedAt: number;
  /** Every member that votes don't change, without the closing brace. */
  readonly texts: string;
  /** Votes set aside or held, which only decisions change; null without any decision. */
  readonly notCounted: number | null;
  /** Each option up to the value of `votes`. */
  readonly options: readonly { readonly id: string; readonly text: string }[];
  /** The last tally and its JSON up to the value of `userVote`, which all voters of one commit share. */
  latest: { readonly tally: Tally; readonly beginning: string } | null;
}

function beginningOf({ texts, options, notCounted }: CachedTexts, tally: Tally, now: number): string {
  const closedAt = closedMoment(tally, now);
  const received = notCounted === null ? '' : `,"receivedVotes":${tally.totalVotes + notCounted}`;
  const counted = options.map(({ text }, index) => `${text}${tally.options[index]?.votes ?? 0}}`);
  return (
    `${texts},"options":[${counted.join()}],"totalVotes":${tally.totalVotes}${received}` +
    `,"isActive":${phaseOf(tally, now) !== 'closed'}` +
    `,"closedAt":${closedAt === null ? 'null' : JSON.stringify(new Date(closedAt))}` +
    ',"hasVoted":true,"userVote":'
  );
}

function isCurrent({ textsUpdatedAt, options, latest }: CachedTexts, tally: Tally): boolean {
  if (latest?.tally === tally) return true;
  return (
    textsUpdatedAt === tally.textsUpdatedAt &&
    options.length === tally.options.length &&
    options.every(({ id }, index) => id === tally.options[index]?.id)
  );
}

async function readTexts({ db, clock }: PollsContext, id: string): Promise<CachedTexts> {
  const model = await findPoll(db, id);
  if (!model) throw errors.pollNotFound();
  const poll = presentPoll(model, clock.now());
  // JSON leaves out undefined members; the counts of each commit take their place.
  const counts = { options: undefined, totalVotes: undefined, receivedVotes: undefined, votesApart: undefined };
  const times = { isActive: undefined, closedAt: undefined };
  const voter = { hasVoted: undefined, userVote: undefined };
  const { setAsideVotes = 0, heldVotes = 0, interventions } = poll;
  return {
    textsUpdatedAt: model.updated_at,
    texts: JSON.stringify({ ...poll, ...counts, ...times, ...voter }).slice(0, -1),
    notCounted: interventions === undefined ? null : setAsideVotes + heldVotes,
    options: poll.options.map((option) => ({
      id: option.id,
      text: `${JSON.stringify({ ...option, votes: undefined }).slice(0, -1)},"votes":`,
    })),
    latest: null,
  };
}

import type { VotingIntake } from '#api/voting/intake.service.ts';
import { refusalOf, votePollsKept, voteTextsMs } from '#api/voting/voting.service.ts';
import type { Tally, VoteCounter } from '#api/voting/voting.service.ts';
import { statisticsNow } from '#api/statistics/statistics.service.ts';
import type { Poll, Statistics } from '#contract/poll.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { errors } from '#platform/errors.ts';
import { SingleFlight, TtlCache } from '#platform/read-cache.ts';
import type { CastAnswer, IdentifiedVoter } from '#api/voting/voter.ts';
import { presentPoll } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';

/** Records a vote and returns the poll with the headline figures as JSON; `counters` are the limits that the vote counts against. */
export type CastPollVote = (
  pollId: string,
  optionId: string,
  voter: IdentifiedVoter,
  counters: readonly VoteCounter[],
) => Promise<CastAnswer<string>>;

/** Voting on a weekly poll, through the intake that all ballots share. */
export function pollVoting(context: PollsContext & { readonly intake: VotingIntake }): CastPollVote {
  const { db, clock, intake } = context;
  const polls = new PollAnswers(context);
  const statistics = new SingleFlight<Statistics>();
  // The votes of one commit share a read.
  const figures = () => statistics.get('', () => statisticsNow(db, clock.now()));
  return async (ballotId, optionId, voter, counters) => {
    const outcome = await intake.cast({ ballotId, kind: 'poll', optionId, voter, counters });
    if (outcome.status === 'recorded') {
      const poll = await polls.presentJson(outcome.tally, outcome.userVote);
      return { recorded: true, answer: `${poll.slice(0, -1)},"statistics":${JSON.stringify(await figures())}}` };
    }
    // An upcoming poll is hidden from everyone, even from those who voted before it was rescheduled.
    if (
      outcome.status === 'not-started' ||
      (outcome.status === 'already-voted' && phaseOf(outcome.tally, clock.now()) === 'upcoming')
    )
      return { recorded: false, refusal: errors.pollNotFound() };
    if (outcome.status !== 'already-voted') return { recorded: false, refusal: refusalOf(outcome) };
    const { userVote, cookie } = outcome;
    const poll = await polls.present(outcome.tally, userVote);
    return { recorded: false, refusal: errors.alreadyVoted({ userVote, poll }), cookie };
  };
}

/** The texts of a poll as JSON fragments, to be completed with counts. */
interface CachedTexts {
  readonly textsUpdatedAt: number;
  /** Every member that votes don't change, without the closing brace. */
  readonly texts: string;
  /** Each option up to the value of `votes`. */
  readonly options: readonly { readonly id: string; readonly text: string }[];
  /** The last tally and its JSON up to the value of `userVote`, which all voters of one commit share. */
  latest: { readonly tally: Tally; readonly beginning: string } | null;
}

/**
 * Answers to votes: the counts of the commit that recorded the vote, and the poll's texts from a cache. Texts are read
 * again when the commit reports a change, and after `voteTextsMs` at the latest.
 */
class PollAnswers {
  readonly #context: PollsContext;
  readonly #texts: TtlCache<CachedTexts>;

  constructor(context: PollsContext) {
    this.#context = context;
    const cached = { ms: voteTextsMs, maxEntries: votePollsKept };
    this.#texts = new TtlCache((id) => readTexts(context, id), cached);
  }

  /** The poll as a voter who chose `userVote` sees it after the commit. */
  async present(tally: Tally, userVote: string): Promise<Poll> {
    return JSON.parse(await this.presentJson(tally, userVote)) as Poll;
  }

  /** The same as JSON. */
  async presentJson(tally: Tally, userVote: string): Promise<string> {
    const cached = await this.#texts.get(tally.ballotId, (texts) => isCurrent(texts, tally));
    if (cached.latest?.tally !== tally)
      cached.latest = { tally, beginning: beginningOf(cached, tally, this.#context.clock.now()) };
    return `${cached.latest.beginning}${JSON.stringify(userVote)}}`;
  }
}

function beginningOf({ texts, options }: CachedTexts, tally: Tally, now: number): string {
  const closedAt = closedMoment(tally, now);
  const counted = options.map(({ text }, index) => `${text}${tally.options[index]?.votes ?? 0}}`);
  return (
    `${texts},"options":[${counted.join()}],"totalVotes":${tally.totalVotes}` +
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
  const counts = { options: undefined, totalVotes: undefined, isActive: undefined, closedAt: undefined };
  const voter = { hasVoted: undefined, userVote: undefined };
  return {
    textsUpdatedAt: model.updated_at,
    texts: JSON.stringify({ ...poll, ...counts, ...voter }).slice(0, -1),
    options: poll.options.map((option) => ({
      id: option.id,
      text: `${JSON.stringify({ ...option, votes: undefined }).slice(0, -1)},"votes":`,
    })),
    latest: null,
  };
}

import { limits } from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { errors } from '#platform/errors.ts';
import type { Tally } from '#api/voting/voting.service.ts';
import { presentPoll } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';

/** A poll as it was read, and how to tell whether its texts are still good. */
interface Kept {
  readonly poll: Poll;
  readonly textsUpdatedAt: number;
  /** Milliseconds on the process's own clock. */
  readonly readAt: number;
}

/**
 * Answers to votes: the counts of the commit that carried the vote, and the poll's texts as kept in memory. Texts
 * are read again when the commit says that they changed, and after `limits.voteTextsMs` at the latest.
 */
export class CountedPolls {
  readonly #context: PollsContext;
  readonly #kept = new Map<string, Kept>();
  /** The JSON up to the value of `userVote`, written once for all voters of one commit. */
  readonly #beginnings = new WeakMap<Tally, Promise<string>>();

  constructor(context: PollsContext) {
    this.#context = context;
  }

  /** The poll as the voter who chose `userVote` sees it after the commit. */
  async present(tally: Tally, userVote: string): Promise<Poll> {
    const kept = this.#kept.get(tally.ballotId);
    const { poll } = kept && isCurrent(kept, tally) ? kept : await this.#read(tally.ballotId);
    const closedAt = closedMoment(tally, this.#context.clock.now());
    return {
      ...poll,
      options: poll.options.map((option, place) => ({ ...option, votes: tally.options[place]?.votes ?? option.votes })),
      totalVotes: tally.totalVotes,
      isActive: phaseOf(tally, this.#context.clock.now()) !== 'closed',
      closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
      hasVoted: true,
      userVote,
    };
  }

  /** The same as JSON. */
  async presentJson(tally: Tally, userVote: string): Promise<string> {
    let beginning = this.#beginnings.get(tally);
    if (!beginning) this.#beginnings.set(tally, (beginning = this.#begin(tally)));
    return `${await beginning}${JSON.stringify(userVote)}}`;
  }

  async #begin(tally: Tally): Promise<string> {
    const withoutVote = { ...(await this.present(tally, '')), userVote: undefined };
    return `${JSON.stringify(withoutVote).slice(0, -1)},"userVote":`;
  }

  async #read(id: string): Promise<Kept> {
    const readAt = performance.now();
    const model = await findPoll(this.#context.db, id);
    if (!model) throw errors.pollNotFound();
    const kept = { poll: presentPoll(model, this.#context.clock.now()), textsUpdatedAt: model.updated_at, readAt };
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.votePollsKept && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}

function isCurrent({ poll, textsUpdatedAt, readAt }: Kept, tally: Tally): boolean {
  return (
    textsUpdatedAt === tally.textsUpdatedAt &&
    performance.now() - readAt < limits.voteTextsMs &&
    poll.options.length === tally.options.length &&
    poll.options.every(({ id }, place) => id === tally.options[place]?.id)
  );
}
